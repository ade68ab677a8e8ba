// A conversation: what the model gets next and what is left out of it, turn by turn.
import { at, get, may, pages, post, remove } from './api.js';
import { href, refine } from './router.js';
import { badge, bar, clock, content, copyButton, empty, html, later, liveDot, nothing, number, percent, plain, plural } from './ui.js';

const PIECE = 40; // blocks that are drawn together, when they come near to what is seen
const ROW_HEIGHT = 74;
const SPEAKERS = { 'user.prompt': 'User', 'assistant.completion': 'Assistant', 'react.tool.call': 'Call', 'react.tool.result': 'Result', 'react.notes': 'Notes' };

export const base = params => at`/v1/users/${params.user}/conversations/${params.conversation}`;
export const links = (params, ...more) => href(['users', params.user, 'conversations', params.conversation, ...more]);

/** The tabs of a conversation. */
export const tabs = (params, now) => html`<p class="tabs">${[['Timeline', []], ['Requests', ['requests']]].map(([name, more]) =>
  html`<a href=${links(params, ...more)} aria-current=${now === name ? 'page' : nothing}>${name}</a>`)}</p>`;

export async function open(page) {
  const C = base(page.params);
  const state = { head: null, blocks: [], turns: new Map(), summaries: [], pins: new Set(), request: null, points: new Map(), shown: new Set(), opened: new Set(), live: 'waiting', plan: null, said: new Map() };
  const load = async () => {
    const [head, turns, summaries, pins, requests, rendered] = await Promise.all([
      get(C, page), pages(C + '/turns', 'turns', { signal: page.signal, size: 500, most: 20_000 }), pages(C + '/summaries', 'summaries', page),
      get(C + '/pins', page), get(C + '/requests?limit=1', page), post(C + '/render', { read_only: true }, page)]);
    Object.assign(state, { head, summaries: summaries.rows, pins: new Set(pins.pins.map(pin => pin.path)), request: requests.requests[0] || null });
    state.turns = new Map(turns.rows.map(turn => [turn.turn_id, turn]));
    state.points = new Map(rendered.cache_points.map(point => [rendered.blocks[point.index]?.seq, point]));
    state.blocks = await timeline(C, page);
    page.redraw();
    afterDraw(() => document.querySelectorAll('[data-piece]').forEach(element => near.observe(element)));
  };
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) state.shown.add(entry.target.dataset.piece);
    page.redraw();
  }, { rootMargin: '900px' });
  page.signal.addEventListener('abort', () => near.disconnect());
  const reveal = () => afterDraw(() => document.querySelector('.block.marked')?.scrollIntoView({ block: 'center' }));
  await load();
  page.changed = reveal;
  page.show({
    title: state.head.title || page.params.conversation,
    crumbs: [['Conversations', href([])], [page.params.user, href([], { user: page.params.user })]],
    twin: C + '/timeline?tokens=true',
    view: () => view(page, state, C, load),
  });
  afterDraw(() => document.querySelectorAll('[data-piece]').forEach(element => near.observe(element)));
  reveal();
  const soon = later(250, () => load().catch(() => {}));
  page.follow(C + '/events', soon, live => { state.live = live; page.redraw(); }, state.head.version);
}

/** When what was asked for is drawn. */
const afterDraw = work => requestAnimationFrame(() => requestAnimationFrame(work));

async function timeline(C, page) {
  const all = [];
  let from = 1;
  for (;;) {
    const { blocks } = await get(C + '/timeline?tokens=true&limit=1000&from_seq=' + from, page);
    const summaries = new Set(all.filter(block => !block.seq).map(block => block.path));
    all.push(...blocks.filter(block => block.seq || !summaries.has(block.path)));
    const stored = blocks.filter(block => block.seq);
    if (stored.length < 1000) return all;
    from = stored.at(-1).seq + 1;
  }
}

function view(page, state, C, load) {
  return html`${tabs(page.params, 'Timeline')}
    ${budget(state)}
    ${actions(page, state, C, load)}
    ${state.plan ? planned(page, state, C, load) : nothing}
    <div class="tools"><span class="dim">${plural(state.turns.size, 'turn')}, ${plural(state.head.blocks, 'block')}, version ${number(state.head.version)}</span><span class="grow"></span>${liveDot(state.live)}</div>
    ${state.blocks.length ? pieces(state).map(piece => turnPiece(page, state, C, load, piece)) : empty('Nothing was said yet.')}`;
}

/** The newest request against its limit; what stands before the first message is the startup tax. */
function budget(state) {
  const request = state.request;
  if (!request) return html`<section class="panel"><h2>Budget</h2><p class="note">No request was built yet; the conversation alone has ${plural(state.head.tokens, 'token')}.</p></section>`;
  const s = request.sections;
  const parts = s ? [
    { name: 'instructions', value: s.instructions + s.rules, kind: 'instructions' },
    { name: 'memory', value: s.core + s.working, kind: 'memory' },
    { name: 'tools', value: s.tools, kind: 'tools' },
    { name: 'summary', value: s.summary, kind: 'summary' },
    { name: 'history and turn', value: s.history, kind: 'history' },
    { name: 'tail', value: s.tail + s.memory_update + s.activity, kind: 'tail', title: 'sources, announcements, changes of memory, activity' },
  ] : [
    { name: 'system', value: request.system_tokens, kind: 'instructions' },
    { name: 'conversation', value: request.stable_tokens, kind: 'history' },
    { name: 'tail', value: request.tail_tokens, kind: 'tail' },
  ];
  const tax = s ? s.instructions + s.rules + s.core + s.working + s.tools : request.system_tokens;
  const limit = request.max_tokens;
  const used = parts.reduce((sum, part) => sum + part.value, 0);
  return html`<section class="panel" aria-label="Budget">
    <h2>What the model got last <span class="dim">${plain(request.model)}, ${number(used)} tokens${limit ? ' of ' + number(limit) + ' (' + percent(used / limit) + ')' : nothing}</span></h2>
    ${bar(parts)}
    ${limit ? html`<div class="thin">${bar([{ name: 'used', value: used, kind: 'history' }, { name: 'free', value: Math.max(0, limit - used), kind: 'free' }], { legend: false, label: 'used ' + number(used) + ' of ' + number(limit) })}</div>` : nothing}
    <p class="note">Startup tax, before the first message: <b>${plural(tax, 'token')}</b> (${percent(used ? tax / used : 0)}).</p>
  </section>`;
}

function actions(page, state, C, load) {
  if (!may('writer')) return nothing;
  const newest = state.summaries.find(summary => !summary.withdrawn);
  return html`<div class="tools">
    <button @click=${async () => { state.plan = await page.act(() => post(C + '/compact', { dry_run: true })); page.redraw(); }}>Preview a compaction</button>
    ${newest ? html`<button @click=${() => page.act(() => post(C + '/summaries/' + encodeURIComponent(newest.summary_id) + '/withdraw'), 'The summary was withdrawn.').then(load)}>Withdraw the newest summary</button>` : nothing}
  </div>`;
}

function planned(page, state, C, load) {
  const plan = state.plan;
  const done = plan.status === 'completed';
  const close = () => { state.plan = null; page.redraw(); };
  const compact = () => page.act(() => post(C + '/compact', {}), 'The conversation was compacted.').then(() => { state.plan = null; return load(); });
  return html`<section class="panel plan" aria-label="Preview of a compaction">
    <h2>A compaction would ${done ? html`cut before block ${number(plan.cut_seq)}` : 'change nothing'}</h2>
    ${done ? html`<p>${number(plan.tokens_before)} → <b>${number(plan.tokens_after)}</b> tokens; ${plural(plan.compacted_blocks, 'block')} of ${plural(plan.covered_turn_ids.length, 'turn')} are replaced by this summary:</p>${content(plan.summary || '', { most: 4000 })}`
      : html`<p>${plan.status}: ${plan.reason}</p>`}
    <p>${done ? html`<button class="primary" @click=${compact}>Compact</button> ` : nothing}<button @click=${close}>Close</button></p>
  </section>`;
}

/** The blocks by turn, in pieces that are small enough to be drawn at once. */
function pieces(state) {
  const all = [];
  for (const block of state.blocks) {
    const last = all.at(-1);
    if (last && last.turn === block.turn_id && last.blocks.length < PIECE) last.blocks.push(block);
    else all.push({ id: String(all.length), turn: block.turn_id, first: !last || last.turn !== block.turn_id, blocks: [block] });
  }
  return all;
}

function turnPiece(page, state, C, load, piece) {
  const turn = state.turns.get(piece.turn);
  const sum = piece.blocks.reduce((tokens, block) => tokens + (block.tokens || 0), 0);
  const marked = piece.blocks.some(block => block.path && block.path === page.query.at);
  const drawn = marked || state.shown.has(piece.id) || Number(piece.id) < 3;
  return html`<section class="turn" data-piece=${piece.id} aria-label=${'Turn ' + piece.turn}>
    ${piece.first ? html`<h2 dir="auto">${plain(piece.turn)} ${turn ? badge(turn.status, turn.status === 'open' ? 'good' : turn.status === 'aborted' ? 'bad' : '') : nothing}
      <span class="dim">${turn ? clock(turn.started_at) : nothing} ${turn?.agent ? plain(turn.agent) : nothing} · ${plural(sum, 'token')}</span></h2>` : nothing}
    ${drawn ? rounds(piece.blocks).map(block => block.type === 'conv.range.summary' ? summaryBlock(page, state, C, block) : blockRow(page, state, C, load, block))
      : html`<div class="later" .style=${'height:' + piece.blocks.length * ROW_HEIGHT + 'px'}></div>`}
  </section>`;
}

const rounds = blocks => blocks.filter(block => block.type !== 'turn.header');

function blockRow(page, state, C, load, block) {
  const covered = state.summaries.some(summary => !summary.withdrawn && block.seq < summary.cut_seq);
  const point = state.points.get(block.seq);
  const key = block.seq;
  const kind = block.type.replaceAll('.', '-');
  return html`<article class=${'block ' + kind + (block.hidden ? ' hidden' : '') + (covered ? ' covered' : '') + (block.path === page.query.at ? ' marked' : '')}>
    <header><a data-item class="seq" href=${href(['users', page.params.user, 'conversations', page.params.conversation], { at: block.path })}>${number(block.seq)}</a>
      <b>${SPEAKERS[block.type] || plain(block.type)}</b> ${block.tool_id ? html`<code>${plain(block.tool_id)}</code>` : nothing}
      <span class="dim" title=${block.type}>${plain(block.author || '')}</span>
      ${block.is_error ? badge('error', 'bad') : nothing}
      ${block.hidden ? badge('hidden', 'warn', block.replacement_text || '') : nothing}
      ${covered ? badge('in a summary', '', 'not sent: a summary stands for it') : nothing}
      ${state.pins.has(block.path) ? badge('pinned', 'good') : nothing}
      <span class="grow"></span>${block.path ? html`<code class="path" dir="auto">${plain(block.path)}</code>${copyButton(block.path, 'Copy the path')}` : nothing}
      <span class="n dim">${number(block.tokens)} tok</span>
      ${may('writer') && block.path ? buttons(page, state, C, load, block) : nothing}</header>
    ${content(block.text || '', { open: state.opened.has(key), most: 600, kind: block.mime === 'application/json' ? 'code' : '', onOpen: () => { state.opened.add(key); page.redraw(); } })}
    ${point ? html`<p class="point" title="what stands above is read from the provider's cache">cache point ${plain(point.name)} · ${plural(point.tokens, 'token')} before it</p>` : nothing}
  </article>`;
}

function buttons(page, state, C, load, block) {
  const done = (what, words) => page.act(what, words).then(load);
  const pinned = state.pins.has(block.path);
  return html`<span class="acts">
    <button class="quiet" @click=${() => done(() => (pinned ? remove(C + '/pins?path=' + encodeURIComponent(block.path)) : post(C + '/pins', { path: block.path })), pinned ? 'No longer pinned.' : 'Pinned: it stays in context.')}>${pinned ? 'Unpin' : 'Pin'}</button>
    ${block.hidden ? html`<button class="quiet" @click=${() => done(() => post(C + '/unhide', { path: block.path }), 'Shown again.')}>Unhide</button>`
      : html`<button class="quiet" @click=${() => done(() => hide(C, block.path), 'Hidden.')}>Hide</button>`}</span>`;
}

async function hide(C, path) {
  const answer = await post(C + '/hide', { path });
  if (answer.status !== 'ok') throw new Error('not hidden: ' + answer.status + (answer.reason ? ', ' + answer.reason : ''));
}

function summaryBlock(page, state, C, block) {
  const summary = state.summaries.find(one => one.path === block.path);
  const said = state.said.get(block.path);
  const open = async () => {
    state.said.set(block.path, await page.act(() => get(C + '/summaries/' + encodeURIComponent(summary.summary_id))));
    page.redraw();
  };
  return html`<article class="block summary">
    <header><b>Summary</b> ${summary ? html`<span class="dim">covers ${plural(summary.covered_turn_ids.length, 'turn')}, blocks ${number(summary.from_seq)} to ${number(summary.cut_seq - 1)}</span>` : nothing}
      <span class="grow"></span><code class="path">${plain(block.path)}</code>${copyButton(block.path, 'Copy the path')}<span class="n dim">${number(block.tokens)} tok</span></header>
    ${content(block.text || '', { open: state.opened.has(block.path), onOpen: () => { state.opened.add(block.path); page.redraw(); } })}
    ${said ? receipt(said) : summary ? html`<button class="more" @click=${open}>Entries and receipt</button>` : nothing}
  </article>`;
}

function receipt(said) {
  const kinds = Object.entries(said.receipt?.tokens || {});
  return html`<div class="receipt"><h3>Receipt ${said.receipt ? badge(said.receipt.writer) : nothing}</h3>
    ${kinds.length ? html`<table class="rows"><thead><tr><th>Kind</th><th class="n">Kept</th><th class="n">Left out</th></tr></thead><tbody>${kinds.map(([kind, sums]) => html`<tr><td>${kind}</td><td class="n">${number(sums.kept)}</td><td class="n">${number(sums.left_out)}</td></tr>`)}</tbody></table>` : nothing}
    <h3>Entries</h3><ul class="entries">${said.entries.map(entry => html`<li>${badge(entry.kind)} ${entry.path ? html`<a href="#" @click=${event => { event.preventDefault(); refine({ at: entry.path }); }}><code>${plain(entry.path)}</code></a>` : nothing} ${plain(entry.text.slice(0, 300))} <span class="dim">${number(entry.tokens)} tok</span></li>`)}</ul></div>`;
}
