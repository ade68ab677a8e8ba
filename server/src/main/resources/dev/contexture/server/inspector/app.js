// The frame around every page: navigation, login, problems, keys, the JSON twin.
import { Problem, follow, hasKey, identify, setKey, text, who } from './api.js';
import { PAGES } from './pages.js';
import { href, match, place } from './router.js';
import { html, named, nothing, plain, problemPanel, render, twinLink } from './ui.js';

const root = document.getElementById('app');
const frame = { page: null, view: null, title: 'Contexture', twin: null, problem: null, login: false, toasts: [], crumbs: [], data: null, tour: null };
let opened = null; // what ends when the page is left
let drawn = false;

/** What a page gets: its place, and how it shows itself. See docs/inspector.md. */
class Page {
  constructor(entry, params, query) {
    Object.assign(this, { entry, params, query });
    this.leaving = new AbortController();
    this.signal = this.leaving.signal;
    this.changed = null;
  }
  /** Says what is shown: a function that gives a template, called at each redraw. */
  show({ title, twin = null, crumbs = [], data = null, view }) {
    if (this.signal.aborted) return;
    Object.assign(frame, { title, twin, crumbs, data, view, problem: null });
    document.title = named(title) + ' · Contexture';
    redraw();
  }
  redraw() {
    if (!this.signal.aborted) redraw();
  }
  /** Does something that may be refused; a refusal is told in the words of the server. */
  async act(what, done) {
    try {
      const result = await what();
      if (done) toast(done);
      return result;
    } catch (failed) {
      if (failed.name !== 'AbortError') toast(failed.message, failed);
      return undefined;
    }
  }
  /** Follows events while the page is shown. */
  follow(path, told, state = () => {}, after = undefined) {
    follow(path, told, { signal: this.signal, state, after });
  }
}

async function open() {
  const now = place();
  const found = match(PAGES, now.parts);
  if ('tour' in now.query && !frame.tour) import('./tour.js').then(module => { frame.tour = module; redraw(); });
  if (opened && found && found[0] === opened.entry && same(found[1], opened.params) && opened.changed
      && now.query.scope === opened.query.scope) {
    opened.query = now.query;
    opened.changed(now.query);
    redraw();
    return;
  }
  opened?.leaving.abort();
  opened = null;
  Object.assign(frame, { page: found ? found[0] : null, view: null, problem: null, twin: null, crumbs: [] });
  if (!found) {
    show(new Problem({ code: 'not_found', detail: "there is no page '" + now.path + "' in the inspector" }, 404));
    return;
  }
  const page = new Page(found[0], found[1], now.query);
  opened = page;
  redraw();
  try {
    const [module] = await Promise.all([found[0].load(), who() ? null : identify()]);
    if (!page.signal.aborted) await module.open(page);
  } catch (failed) {
    if (page.signal.aborted || failed.name === 'AbortError') return;
    if (failed.status === 401) login(failed);
    else show(failed);
  }
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function show(problem) {
  frame.problem = problem;
  redraw();
}

function redraw() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    render(template(), root);
    if (frame.tour?.isTour() && frame.view) frame.tour.point();
  });
}

/** A short message that goes by itself; a refusal stays until it is closed. */
export function toast(message, problem = null) {
  const entry = { message, problem };
  frame.toasts.push(entry);
  if (frame.toasts.length > 4) frame.toasts.shift();
  if (!problem) setTimeout(() => close(entry), 4000);
  redraw();
}

function close(entry) {
  frame.toasts = frame.toasts.filter(other => other !== entry);
  redraw();
}

function template() {
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${href([])} aria-label="Contexture, start"><img src="inspector/icon.svg" alt="" width="22" height="22">Contexture</a>
      <nav aria-label="Pages">${PAGES.filter(page => page.nav).map(navLink)}</nav>
      <span class="grow"></span>
      ${callerNote()}
      <button class="quiet" title="Keys of the keyboard (?)" @click=${help}>?</button>
      <button class="quiet" title="Light or dark" aria-label="Light or dark" @click=${theme}>◐</button>
    </header>
    <main id="main" tabindex="-1" aria-busy=${!frame.view && !frame.problem && !frame.login}>
      ${frame.login ? loginForm() : content()}
    </main>
    ${frame.tour?.isTour() && !frame.login ? frame.tour.tourPanel() : nothing}
    <div class="toasts" role="status">${frame.toasts.map(entry => html`
      <p class=${entry.problem ? 'toast bad' : 'toast'} dir="auto">${plain(entry.message)}
        ${entry.problem?.code ? html`<code>${entry.problem.code}</code>` : nothing}
        <button class="quiet" aria-label="Close" @click=${() => close(entry)}>×</button></p>`)}</div>
    <dialog id="twin" aria-label="JSON"></dialog>
    <dialog id="help" aria-label="Keyboard"></dialog>`;
}

function content() {
  if (frame.problem) return problemPanel(frame.problem);
  if (!frame.view) return html`<p class="loading">Loading…</p>`;
  return html`
    <div class="title">
      ${frame.crumbs.length ? html`<p class="crumbs">${frame.crumbs.map(([name, link]) => html`<a href=${link} dir="auto">${plain(name)}</a> › `)}</p>` : nothing}
      <h1 dir="auto">${plain(frame.title)}</h1>
      ${frame.twin ? twinLink(frame.twin, showTwin) : nothing}
    </div>
    ${frame.view()}`;
}

function navLink(page) {
  const root = page.path.split('/')[1] || '';
  const here = frame.page && (frame.page.section ?? frame.page.path.split('/')[1] ?? '') === root;
  return html`<a href=${href(root ? [root] : [])} aria-current=${here ? 'page' : nothing}>${page.nav}</a>`;
}

function callerNote() {
  const caller = who();
  if (!caller) return nothing;
  const scope = caller.tenant + '/' + caller.project;
  return html`<span class="who" title=${caller.key ? 'the key ' + caller.key : 'a server without keys: everything is allowed'}>
      ${scope === 'local/local' ? nothing : html`<b>${scope}</b> `}${caller.key ? caller.role : nothing}${caller.user ? plain(" of user " + caller.user) : nothing}${caller.agent ? plain(" of agent " + caller.agent) : nothing}</span>
    ${hasKey() ? html`<button class="quiet" @click=${() => { setKey(null); location.reload(); }}>Log out</button>` : nothing}`;
}

function login(problem) {
  Object.assign(frame, { login: true, loginProblem: hasKey() ? problem : null, title: 'Log in' });
  setKey(null);
  redraw();
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('key')?.focus()));
}

function loginForm() {
  return html`<form class="login" @submit=${enter}>
    <h1>Log in</h1>
    <p>This server takes keys. Yours is kept in this page only, until you close or reload it.</p>
    <label for="key">Key</label>
    <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required placeholder="cx_…">
    ${frame.loginProblem ? html`<p class="bad" role="alert">${frame.loginProblem.message}</p>` : nothing}
    <button>Log in</button>
    <p class="note"><code>contexture keys add</code> makes keys.</p>
  </form>`;
}

async function enter(event) {
  event.preventDefault();
  setKey(event.target.elements.key.value.trim());
  try {
    await identify();
    frame.login = false;
    await open();
  } catch (failed) {
    frame.loginProblem = failed;
    setKey(null);
    redraw();
  }
}

/** A plain link has no key and names no project: where one is needed, the answer is shown here. */
async function showTwin(event, path) {
  if (!hasKey() && !place().query.scope) return;
  event.preventDefault();
  const dialog = document.getElementById('twin');
  const body = frame.data ? JSON.stringify(frame.data()) : await opened.act(() => text(path)); // a stream has no end
  if (body === undefined) return;
  let shown = body;
  try {
    shown = JSON.stringify(JSON.parse(body), null, 2);
  } catch { /* no JSON: as it came */ }
  render(html`<p><code>GET ${path}</code> <button autofocus @click=${() => dialog.close()}>Close</button></p><pre tabindex="0">${shown}</pre>`, dialog);
  dialog.showModal();
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

function theme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme || (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
}

function help() {
  const dialog = document.getElementById('help');
  const keys = [['?', 'this list'], ['/', 'to the filter or search field'], ['j, k', 'to the next entry, to the one before'],
    ['Enter', 'opens it'], ['Esc', 'leaves a field, so that the keys work again'], ...PAGES.filter(page => page.nav).map(page => ['g ' + page.key, 'to ' + page.nav])];
  render(html`<h2>Keyboard</h2><dl class="keys">${keys.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
    <button autofocus @click=${() => dialog.close()}>Close</button>`, dialog);
  dialog.showModal();
}

let prefix = '';
document.addEventListener('keydown', event => {
  const field = event.target.closest?.('input, textarea, select, dialog, [contenteditable]');
  if (event.key === 'Escape' && field && !event.target.closest('dialog')) {
    event.preventDefault(); // what was typed stays
    event.target.blur();
  }
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  const before = prefix;
  prefix = '';
  if (before === 'g') {
    const page = PAGES.find(one => one.key === event.key);
    if (page) location.hash = href(page.path.split('/').filter(Boolean)).slice(1);
  } else if (event.key === 'g') {
    prefix = 'g';
  } else if (event.key === '?') {
    help();
  } else if (event.key === '/') {
    event.preventDefault();
    document.querySelector('[data-filter]')?.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    const items = [...document.querySelectorAll('[data-item]')];
    const at = items.indexOf(document.activeElement);
    items[Math.max(0, Math.min(items.length - 1, at + (event.key === 'j' ? 1 : -1)))]?.focus();
  }
});

window.addEventListener('hashchange', () => {
  if (!frame.login) open();
});
open();
