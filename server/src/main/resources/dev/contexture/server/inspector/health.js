// The state of the server: store, index, embedder, what was left out, and what it has done.
import { get, may, post, text } from './api.js';
import { refine } from './router.js';
import { badge, empty, html, liveDot, nothing, number, plain } from './ui.js';

const EVERY = 2000; // milliseconds
/** What to do, where there is something. */
const ADVICE = {
  entries_parked: html`; <code>contexture reindex</code>, or the button below, tries again`,
  data_damaged: html`; <code>contexture doctor</code> finds it`,
};

export async function open(page) {
  const state = { health: null, ready: null, metrics: [], live: 'waiting' };
  const load = async () => {
    try {
      const [health, ready] = await Promise.all([get('/healthz', page), get('/readyz', page).catch(failed => failed.body)]);
      Object.assign(state, { health, ready, live: 'live' });
      if (may('admin')) state.metrics = numbers(await text('/metrics', page).catch(() => ''));
    } catch (failed) {
      if (failed.name === 'AbortError') return;
      state.live = 'waiting';
      if (!state.health) throw failed;
    }
    page.redraw();
  };
  await load();
  page.changed = () => {};
  page.show({ title: 'Health', twin: '/healthz', view: () => view(page, state, load) });
  const timer = setInterval(load, EVERY);
  page.signal.addEventListener('abort', () => clearInterval(timer));
}

/** What Prometheus reads, as rows: [name, labels, value]. */
const numbers = lines => lines.split('\n').filter(line => line && !line.startsWith('#') && !/_bucket\b/.test(line)).map(line => {
  const [, name, labels, value] = line.match(/^([^{ ]+)(?:\{(.*)\})? (\S+)/) || [];
  return { name, labels: labels || '', value: Number(value) };
}).filter(row => row.name);

const flat = (value, before = '') => Object.entries(value).flatMap(([name, inner]) =>
  (inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? flat(inner, before + name + '.') : [[before + name, inner]]));

/** What a healthy server does not mention, said in words. */
const absent = health => [
  ...(health.embedding ? [] : [['embedder', 'none: search is by words']]),
  ...(health.reasons.some(reason => reason.code === 'entries_parked') ? [] : [['entries left out of the index', 0]]),
];

function view(page, state, load) {
  const { health, ready } = state;
  const rest = flat(health).filter(([name]) => name !== 'status' && name !== 'reasons');
  const q = (page.query.q || '').toLowerCase();
  const rows = state.metrics.filter(row => (row.name + row.labels).toLowerCase().includes(q));
  return html`<div class="tools">${badge(health.status, health.status === 'ok' ? 'good' : 'bad')} ${badge(ready?.status === 'ready' || ready?.status === 'ok' ? 'takes requests' : 'takes no requests', ready?.status === 'ready' || ready?.status === 'ok' ? 'good' : 'bad')}<span class="grow"></span>${liveDot(state.live)}</div>
    ${health.reasons.map(reason => html`<p class="clash" role="alert">${badge(reason.code, 'bad')} ${plain(reason.detail)}${ADVICE[reason.code] || nothing}</p>`)}
    <section class="panel" aria-label="State"><h2>State</h2><dl class="facts">${[...rest, ...absent(health)].map(([name, value]) => html`<dt>${name.replaceAll('_', ' ')}</dt><dd>${typeof value === 'number' ? number(value) : plain(String(value))}</dd>`)}</dl>
      ${may('admin') ? html`<p><button @click=${() => page.act(() => post('/v1/reindex'), 'The index is built anew.').then(load)}>Build the search index anew</button></p>` : nothing}</section>
    ${state.metrics.length ? html`<section class="panel" aria-label="Numbers"><h2>Numbers</h2><input data-filter type="search" aria-label="Filter numbers" placeholder="Filter numbers" .value=${page.query.q || ''} @input=${event => refine({ q: event.target.value })}>
      <table class="rows"><tbody>${rows.map(row => html`<tr><td>${row.name}</td><td class="dim labels">${row.labels}</td><td class="n">${Number.isInteger(row.value) ? number(row.value) : row.value.toPrecision(4)}</td></tr>`)}</tbody></table></section>` : empty('The numbers are for the key of an admin.')}`;
}
