// One memory block: what the model reads, an editor by its schema, its history, who shares it.
import { choices, get, may, pages, patch, post, remove } from './api.js';
import { difference } from './diff.js';
import { conflicts, editor, operations } from './editor.js';
import { LEVELS, acting, actors, agentBase, asked, confirmed, forWhom, level, mayChange, waits } from './memory.js';
import { go, href, refine } from './router.js';
import { ago, badge, bar, clock, content, empty, html, later, liveDot, nothing, number, plain, plural } from './ui.js';

const VERSIONS = 200;
const AGENTS = 1000; // that it may be shared with

export async function open(page) {
  const A = agentBase(page.params.agent);
  const { user = '', owner = '' } = page.query;
  const path = A + '/blocks/' + encodeURIComponent((owner ? owner + '/' : '') + page.params.label);
  const state = { block: null, base: null, drafts: new Map(), taken: new Set(), stale: [], versions: [], shares: null, agents: [], more: false, past: null, message: '', live: 'waiting', ended: null, levels: (await choices(page)).permission };
  const scope = user ? { user } : {};
  let reads = new AbortController();
  const load = () => read({ signal: AbortSignal.any([page.signal, reads.signal]) }).catch(failed => {
    if (failed.name !== 'AbortError') throw failed;
  });
  const read = async reading => {
    const block = await get(asked(path, { user }), reading);
    const history = await get(asked(path + '/history', { user, after: String(Math.max(0, block.version - VERSIONS)), limit: String(VERSIONS) }), reading).catch(() => ({ versions: [] }));
    reading.signal.throwIfAborted();
    Object.assign(state, { block, versions: history.versions.slice().reverse() });
    page.redraw();
  };
  const loadPast = async () => {
    const at = Number(page.query.at || 0);
    if (!at) {
      state.past = null;
      page.redraw();
      return;
    }
    const [now, before] = await Promise.all([get(asked(path, { user, at: String(at) }), page), at > 1 ? get(asked(path, { user, at: String(at - 1) }), page) : { rendered: '' }]);
    state.past = { at, now, before };
    page.redraw();
  };
  /** Whom it is shared with is for its owner to know, and to change. */
  const loadShares = async () => {
    if (state.block.owner !== page.params.agent) return;
    const [agents, { shares }] = await Promise.all([pages('/v1/agents', 'agents', { signal: page.signal, most: AGENTS }).catch(() => ({ rows: [], more: false })), get(asked(path + '/shares', { user }), page)]);
    Object.assign(state, { shares, agents: agents.rows.map(row => row.agent).filter(agent => agent !== page.params.agent), more: agents.more });
    page.redraw();
  };
  const tools = {
    draft(key, typed, saved) {
      if (!state.drafts.size) Object.assign(state, { base: state.block, taken: new Set() });
      if (typed === saved) state.drafts.delete(key);
      else state.drafts.set(key, typed);
      page.redraw();
    },
    drop(key) {
      state.drafts.delete(key);
      state.taken.add(key);
      page.redraw();
    },
    /** One operation that needs no draft: done at once, on what the person sees. */
    now: (op, words) => write([op], words, (state.drafts.size ? state.base : state.block).version),
    async save() {
      const list = await page.act(async () => operations(state));
      if (!list) return;
      const results = await write(list.map(one => one.op), null, state.base.version);
      if (!results) return;
      state.stale = list.flatMap(({ op }, i) => (results[i]?.applied === false ? [{ op, reason: results[i].reason }] : []));
      state.drafts.clear();
      state.message = '';
      page.redraw();
    },
    discard() {
      state.drafts.clear();
      page.redraw();
    },
    async act(what, words) {
      const answer = await page.act(what, words);
      await load();
      return answer;
    },
  };
  /** Deletes the block; what is being read of it is not waited for, as it will be gone. */
  async function gone() {
    reads.abort();
    const done = await page.act(() => remove(asked(path, scope), acting(page)), 'The block was deleted; the page of the agent can bring it back.');
    if (done !== undefined) {
      go(href(['agents', page.params.agent], scope));
      return;
    }
    reads = new AbortController();
    await load();
  }
  async function write(ops, words, base) {
    const answer = await page.act(() => post(path + '/ops', { ops, base_version: base, ...(state.message ? { message: state.message } : {}), ...scope }, acting(page)), words);
    if (!answer) return null;
    await load();
    if (!words && answer.results.every(result => result.applied !== false)) await page.act(async () => {}, 'Saved as version ' + number(answer.version) + '.');
    return answer.results;
  }
  await load();
  page.changed = () => { loadPast().catch(() => {}); };
  page.show({
    title: page.params.label, twin: asked(path, { user }),
    crumbs: [['Memory', href(['agents'])], [page.params.agent, href(['agents', page.params.agent], { user })]],
    view: () => view(page, state, { path, scope, tools, gone, loadShares }),
  });
  await Promise.all([loadPast(), loadShares().catch(() => {})]);
  const soon = later(100, () => { if (!state.ended) load().catch(() => {}); });
  page.follow(asked(A + '/events', { user }), (type, data) => {
    if (data.id !== state.block.id) return;
    state.ended = type === 'deleted' ? data : null;
    if (state.ended) {
      reads.abort();
      reads = new AbortController();
      page.redraw();
    } else soon();
  }, live => { state.live = live; page.redraw(); });
}

function view(page, state, on) {
  const { block } = state;
  const { scope } = on;
  return html`<div class="tools">${forWhom(block.user)} ${badge(block.block_type)} ${badge(block.schema?.kind || 'text')} ${block.owner !== page.params.agent ? badge('of ' + block.owner, 'warn', 'shared with ' + page.params.agent) : nothing}
      <span class="dim" dir="auto">${plain(block.description || '')}</span><span class="grow"></span>${liveDot(state.live)}</div>
    ${state.ended ? html`<p class="clash" role="status">${plain(state.ended.actor)} deleted this block at ${clock(state.ended.ts)}; what you see is what it was. The page of <a href=${href(['agents', page.params.agent], scope)}>${plain(page.params.agent)}</a> can bring it back.</p>` : nothing}
    <div class="two wide"><div>
      <section class="panel" aria-label="What the model reads"><h2>What the model reads <span class="dim">version ${number(block.version)}, ${ago(block.updated_at)}</span></h2>
        ${block.rendered ? content(block.rendered, { most: 20_000 }) : empty('Nothing is written yet.')}
        <div class="thin">${bar([{ name: 'used', value: block.size, kind: 'memory' }, { name: 'free', value: Math.max(0, block.char_limit - block.size), kind: 'free' }], { legend: false, label: number(block.size) + ' of ' + number(block.char_limit) + ' characters' })}</div>
        <p class="note">${number(block.size)} of ${number(block.char_limit)} characters.</p></section>
      ${editing(page, state, on)}
    </div><div>${past(page, state, on)}${settings(page, state, on)}${shares(page, state, on)}${history(page, state, on)}</div></div>`;
}

function editing(page, state, { tools }) {
  const able = actors(page).filter(as => mayChange(page, state.block, 'write', as));
  if (!able.length) return !may('writer') ? nothing : html`<p class="note" aria-label="Edit">${level(state.block.permission)} ${LEVELS[state.block.permission]}.</p>`;
  const waiting = state.drafts.size;
  const behind = waiting && state.block.version !== state.base.version;
  const known = actors(page);
  const as = page.query.as || known[0];
  const choice = [...new Set([...known, as])];
  return html`<section class="panel" aria-label="Edit"><h2>Edit</h2>
    <p class="note">${level(state.block.permission)} ${LEVELS[state.block.permission] || nothing}. ${choice.length > 1 ? html`<label>You act as <select @change=${event => refine({ as: event.target.value === known[0] ? '' : event.target.value })}>${choice.map(actor => html`<option value=${actor} ?selected=${actor === as}>${plain(actor)}</option>`)}</select></label>` : html`You act as <b>${plain(as)}</b>.`} ${waits(page, state.block) ? 'What is written waits until it is approved.' : nothing}</p>
    ${behind ? html`<p class="clash" role="status">Version ${number(state.block.version)} came while you were editing version ${number(state.base.version)}${conflicts(state).length ? nothing : '; it touches nothing that you changed'}.</p>` : nothing}
    ${state.stale.map(one => stale(page, state, tools, one))}
    ${editor(state, tools)}
    ${waiting ? html`<div class="tools save"><input aria-label="Why" placeholder="Why (kept in the history)" .value=${state.message} @input=${event => { state.message = event.target.value; }}>
      <button class="primary" @click=${tools.save}>Save ${plural(waiting, 'change')}</button><button @click=${tools.discard}>Discard</button></div>` : nothing}</section>`;
}

/** An item that others changed or removed first: nothing was written there. */
function stale(page, state, tools, one) {
  const gone = () => { state.stale = state.stale.filter(other => other !== one); page.redraw(); };
  const again = async () => { if (await tools.now(one.op, 'Written over it.')) gone(); };
  return html`<p class="clash" role="alert">Not written (${plain(one.reason)}): item ${number(one.op.index + 1)} was changed by somebody else first. You wrote: <q>${plain(typeof one.op.value === 'string' ? one.op.value : JSON.stringify(one.op.value))}</q>
    <button @click=${gone}>Keep theirs</button> <button @click=${again}>Write mine</button></p>`;
}

/** A version of the past against the one before it. */
function past(page, state, { path, scope, tools }) {
  if (!state.past) return nothing;
  const { at, now, before } = state.past;
  const restore = async () => {
    const op = now.schema?.kind === 'text' || !now.schema ? { op: 'set_text', text: now.value || '' } : { op: 'import', value: now.value };
    const body = { ops: [op], base_version: state.block.version, message: 'back to version ' + at, ...scope };
    const done = await tools.act(() => post(path + '/ops', body, acting(page)), 'Version ' + number(at) + ' is back.');
    if (done) refine({ at: '' });
  };
  return html`<section class="panel plan" aria-label=${'Version ' + at}><h2>Version ${number(at)} against ${number(at - 1)}</h2>${difference(before.rendered || '', now.rendered || '')}
    <p>${mayChange(page, state.block, 'revise') && at !== state.block.version ? html`<button class="primary" @click=${restore}>Restore version ${number(at)}</button> ` : nothing}<button @click=${() => refine({ at: '' })}>Close</button></p></section>`;
}

function settings(page, state, { path, scope, tools, gone }) {
  const { block } = state;
  const change = (body, words) => tools.act(() => patch(path, { ...body, ...scope }, acting(page)), words);
  return html`<section class="panel" aria-label="Settings"><h2>Settings</h2><dl class="facts"><dt>permission</dt><dd>${mayChange(page, block, 'configure') ? html`<select aria-label="Permission" @change=${event => change({ permission: event.target.value }, 'The permission was changed.')}>${state.levels.map(name => html`<option value=${name} ?selected=${name === block.permission} .selected=${name === block.permission}>${name}</option>`)}</select>` : level(block.permission)}</dd>
    <dt>pinned</dt><dd>${block.pinned ? 'yes' : 'no'} ${mayChange(page, block, 'pin') ? html`<button class="small" @click=${() => change({ pinned: !block.pinned }, block.pinned ? 'No longer pinned.' : 'Pinned.')}>${block.pinned ? 'Unpin' : 'Pin'}</button>` : nothing}</dd>
    <dt>created</dt><dd>${clock(block.created_at)}</dd><dt>id</dt><dd><code>${block.id}</code></dd></dl>
    ${mayChange(page, block, 'remove') ? html`<p><button class="small" @click=${event => confirmed(event, gone)}>Delete the block</button></p>` : nothing}</section>`;
}

function shares(page, state, { path, scope, loadShares }) {
  const { block } = state;
  if (block.owner !== page.params.agent) return html`<section class="panel" aria-label="Shares"><h2>Shared by ${plain(block.owner)}</h2><p class="note">${plain(page.params.agent)} may use it at the level ${level(block.permission)}</p></section>`;
  const able = mayChange(page, block, 'share');
  const done = (what, words) => page.act(what, words).then(loadShares);
  const add = event => {
    event.preventDefault();
    const { agent, permission } = event.target.elements;
    done(() => post(path + '/shares', { agent: agent.value, permission: permission.value, ...scope }, acting(page)), 'Shared.');
  };
  return html`<section class="panel" aria-label="Shares"><h2>Shared with <span class="dim">${state.shares ? number(state.shares.length) : nothing}</span></h2>
    ${!state.shares ? html`<p class="note">Not read.</p>` : state.shares.length ? html`<ul class="entries">${state.shares.map(share => html`<li><a href=${href(['agents', share.agent])}>${plain(share.agent)}</a> ${level(share.permission)} ${able ? html`<button class="small" @click=${() => done(() => remove(asked(path + '/shares/' + encodeURIComponent(share.agent), scope), acting(page)), 'No longer shared.')}>End</button>` : nothing}</li>`)}</ul>` : html`<p class="note">With no other agent.</p>`}
    ${able && state.agents.length ? html`<form class="adder" @submit=${add}><select name="agent" aria-label="Agent">${state.agents.map(agent => html`<option value=${agent}>${plain(agent)}</option>`)}</select><select name="permission" aria-label="Level">${state.levels.map(name => html`<option ?selected=${name === 'read_only'}>${name}</option>`)}</select><button>Share</button></form>${state.more ? html`<p class="note">The first ${number(AGENTS)} agents are offered.</p>` : nothing}` : nothing}</section>`;
}

function history(page, state, { path, scope, tools }) {
  const step = (what, words) => tools.act(() => post(path + '/' + what, scope, acting(page)).then(answer => { if (!answer.done) throw new Error('there is nothing to ' + what); return answer; }), words);
  return html`<section class="panel" aria-label="History"><h2>History <span class="dim">${plural(state.versions.length, 'version')}${state.versions.length === VERSIONS ? ' (the newest)' : nothing}</span></h2>
    ${mayChange(page, state.block, 'revise') ? html`<p><button @click=${() => step('undo', 'The newest step was taken back.')}>Undo</button> <button @click=${() => step('redo', 'Done again.')}>Redo</button></p>` : nothing}
    <ol class="versions">${state.versions.map(one => html`<li><a data-item href=${href(['agents', page.params.agent, 'blocks', page.params.label], { ...page.query, at: one.version })} aria-current=${String(one.version) === page.query.at ? 'true' : nothing}>${number(one.version)}</a>
      <b>${plain(one.actor)}</b> ${plain(one.operation)} ${one.granted_by ? badge('granted by ' + one.granted_by) : nothing} <span class="dim">${ago(one.ts)}</span> ${one.message ? html`<q dir="auto">${plain(one.message)}</q>` : nothing}</li>`)}</ol></section>`;
}
