// Whether the server is well: store, index, embedder, what was left out, and what it has done.
import { get, may, post, text } from './api.js';
import { refine } from './router.js';
import { badge, empty, html, liveDot, nothing, number, plain } from './ui.js';

const EVERY = 2000; // milliseconds
const REASONS = {
  store_slow: 'the store does not answer',
  index_stuck: 'changes wait to be indexed, and none was for 30 seconds',
  key_file_refused: 'the key file cannot be read, or others may write it',
  requests_full: 'as many requests run as are allowed at the same time',
  entries_parked: 'entries that cannot be indexed were left out, and are not found; "contexture reindex" tries again',
  data_damaged: 'damaged data was met in the last 10 minutes; "contexture doctor" finds it',
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
  ...(health.reasons.some(reason => (reason.code || reason) === 'entries_parked') ? [] : [['entries left out of the index', 0]]),
];

function view(page, state, load) {
  const { health, ready } = state;
  const rest = flat(health).filter(([name]) => name !== 'status' && name !== 'reasons');
  const q = (page.query.q || '').toLowerCase();
  const rows = state.metrics.filter(row => (row.name + row.labels).toLowerCase().includes(q));
  return html`<div class="tools">${badge(health.status, health.status === 'ok' ? 'good' : 'bad')} ${badge(ready?.status === 'ready' || ready?.status === 'ok' ? 'takes requests' : 'takes no requests', ready?.status === 'ready' || ready?.status === 'ok' ? 'good' : 'bad')}<span class="grow"></span>${liveDot(state.live)}</div>
    ${health.reasons.map(reason => html`<p class="clash">${badge(reason.code || reason, 'bad')} ${REASONS[reason.code || reason] || plain(reason.detail || '')} ${reason.count ? number(reason.count) : nothing}</p>`)}
    <section class="panel" aria-label="State"><h2>State</h2><dl class="facts">${[...rest, ...absent(health)].map(([name, value]) => html`<dt>${name.replaceAll('_', ' ')}</dt><dd>${typeof value === 'number' ? number(value) : plain(String(value))}</dd>`)}</dl>
      ${may('admin') ? html`<p><button @click=${() => page.act(() => post('/v1/reindex'), 'The index is built anew.').then(load)}>Build the search index anew</button></p>` : nothing}</section>
    ${state.metrics.length ? html`<section class="panel" aria-label="Numbers"><h2>Numbers</h2><input data-filter type="search" aria-label="Filter numbers" placeholder="Filter numbers" .value=${page.query.q || ''} @input=${event => refine({ q: event.target.value })}>
      <table class="rows"><tbody>${rows.map(row => html`<tr><td>${row.name}</td><td class="dim labels">${row.labels}</td><td class="n">${Number.isInteger(row.value) ? number(row.value) : row.value.toPrecision(4)}</td></tr>`)}</tbody></table></section>` : empty('The numbers are for the key of an admin.')}`;
}
