// A conversation: what the model gets next and what is left out of it, turn by turn.
import { at, get, may, pages, post, remove } from './api.js';
import { href, refine } from './router.js';
import { badge, bar, clock, content, copyButton, empty, html, later, liveDot, named, nothing, number, percent, plain, plural } from './ui.js';

const PIECE = 16; // blocks that are drawn together, when they come near to what is seen
const WHOLE_BAR = 0.25; // from this share of the limit on, the sections are seen in a bar of all of it
const ROW_HEIGHT = 60;
const SHORT = 90; // characters of a call or a result that stand beside its name
const INLINE = new Set(['react.tool.call', 'react.tool.result']);
const TURN_HEIGHT = 44;
const GROWTH = new Set(['block', 'turn']); // events that only add
const SPEAKERS = { 'user.prompt': 'User', 'assistant.completion': 'Assistant', 'react.tool.call': 'Call', 'react.tool.result': 'Result', 'react.notes': 'Notes', 'stage.sources_used': 'Sources used', 'stage.suggested_followups': 'Follow-ups' };

export const base = params => at`/v1/users/${params.user}/conversations/${params.conversation}`;
export const links = (params, ...more) => href(['users', params.user, 'conversations', params.conversation, ...more]);

/** The tabs of a conversation. */
export const tabs = (params, now) => html`<p class="tabs">${[['Timeline', []], ['Requests', ['requests']]].map(([name, more]) =>
  html`<a href=${links(params, ...more)} aria-current=${now === name ? 'page' : nothing}>${name}</a>`)}</p>`;

export async function open(page) {
  const C = base(page.params);
  const state = { head: null, blocks: [], turns: new Map(), summaries: [], pins: new Set(), request: null, sent: null, shown: new Set(), opened: new Set(), live: 'waiting', plan: null, said: new Map(), heights: new Map(), cut: null };
  const load = async (whole = true) => {
    const [head, summaries, pins, requests, blocks] = await Promise.all([
      get(C, page), pages(C + '/summaries', 'summaries', page), get(C + '/pins', page), get(C + '/requests?limit=1', page), timeline(C, page, whole ? [] : state.blocks)]);
    Object.assign(state, { head, summaries: summaries.rows, pins: new Set(pins.pins.map(pin => pin.path)), request: requests.requests[0] || null, blocks });
    page.redraw();
    watch();
  };
  /** What takes longer for a long conversation, and is drawn into what is there. */
  const loadMore = async (changed = null) => {
    const [turns, sent] = await Promise.all([
      changed ? Promise.all([...changed].map(turn => get(C + '/turns/' + encodeURIComponent(turn), page))).then(rows => ({ rows }))
        : pages(C + '/turns', 'turns', { signal: page.signal, size: 500, most: 20_000 }), lastSent(C, page, state)]);
    for (const turn of turns.rows) state.turns.set(turn.turn_id, turn);
    state.sent = sent;
    page.redraw();
  };
  const reload = () => Promise.all([load(), loadMore()]);
  const news = { turns: new Set(), whole: false };
  /** Blocks that were added are read alone; anything else may have changed what is shown before. */
  const follow = async () => {
    const { turns, whole } = news;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - ROW_HEIGHT;
    Object.assign(news, { turns: new Set(), whole: false });
    await (whole || turns.size > 20 ? reload() : Promise.all([load(false), loadMore(turns)]));
    for (let i = 0; atEnd && i < 3; i++) { // who looks at the end stays there, also when the end is drawn only then
      await new Promise(afterDraw);
      scrollTo(0, document.documentElement.scrollHeight);
    }
  };
  const watch = () => afterDraw(() => {
    near.disconnect();
    document.querySelectorAll('[data-piece]').forEach(element => near.observe(element));
  });
  const near = new IntersectionObserver(entries => {
    let changed = false;
    for (const entry of entries) {
      const id = entry.target.dataset.piece;
      if (entry.isIntersecting === state.shown.has(id)) continue;
      changed = true;
      if (entry.isIntersecting) state.shown.add(id);
      else {
        state.heights.set(id, entry.boundingClientRect.height); // so that nothing jumps without it
        state.shown.delete(id);
      }
    }
    if (changed) page.redraw();
  }, { rootMargin: '900px' });
  page.signal.addEventListener('abort', () => near.disconnect());
  const reveal = () => afterDraw(() => document.querySelector('.block.marked')?.scrollIntoView({ block: 'center' }));
  await load();
  page.changed = () => {
    state.shown.clear();
    state.heights.clear();
    page.redraw();
    watch();
    reveal();
  };
  page.show({
    title: state.head.title || page.params.conversation,
    crumbs: [['Conversations', href([])], [page.params.user, href([], { user: page.params.user })]],
    twin: C + '/timeline?tokens=true',
    view: () => view(page, state, C, reload),
  });
  watch();
  reveal();
  await loadMore();
  let last = Promise.resolve(); // one after the other: each builds on what the one before found
  const soon = later(250, () => { last = last.then(follow).catch(() => { news.whole = true; }); });
  const told = (type, data) => {
    if (data.turn_id && GROWTH.has(type)) news.turns.add(data.turn_id);
    else news.whole = true;
    soon();
  };
  page.follow(C + '/events', told, live => { state.live = live; page.redraw(); }, state.head.version);
}

/** What the last request held: where its cache marks stand, what it shortened; asked for once for each request. */
async function lastSent(C, page, state) {
  const id = state.request?.request_id;
  if (!id || state.sent?.id === id) return state.sent;
  const why = await get(C + '/requests/' + encodeURIComponent(id) + '/why', page).catch(() => null);
  if (!why) return null;
  const sent = { id, marks: new Map(), early: [], tokens: new Map(), newest: 0, shortened: new Map((why.truncated || []).map(one => [one.id, one])) };
  let before = 0;
  for (const part of why.parts) {
    before += part.tokens;
    sent.newest = Math.max(sent.newest, part.seq);
    if (part.path) sent.tokens.set(part.path, (sent.tokens.get(part.path) || 0) + part.tokens);
    if (!part.mark) continue;
    if (part.tier === 'messages' && (part.seq || part.path.includes(':'))) sent.marks.set(part.seq || part.path, before);
    else sent.early.push(part.tier === 'messages' ? 'end' : part.tier);
  }
  return sent;
}

/** When what was asked for is drawn. */
const afterDraw = work => requestAnimationFrame(() => requestAnimationFrame(work));

async function timeline(C, page, known) {
  const all = [...known];
  let from = (known.findLast(block => block.seq)?.seq ?? 0) + 1;
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
  const { turns, blocks, version } = state.head;
  return html`${tabs(page.params, 'Timeline')}
    ${budget(state)}
    ${state.plan ? planned(page, state, C, load) : nothing}
    <div class="tools">${actions(page, state, C, load)}<span class="grow"></span><span class="dim">${plural(turns, 'turn')}, ${plural(blocks, 'block')}, version ${number(version)}</span> ${liveDot(state.live)}</div>
    ${page.query.at && !state.blocks.some(block => block.path === page.query.at) ? html`<p class="clash" role="status">No block of this conversation has the path <code>${plain(page.query.at)}</code>.</p>` : nothing}
    ${shows(page) && hiddenCount(state) ? html`<p class="note">${notSent(state)}: a summary stands for them. <a href=${links(page.params)}>Hide them</a></p>` : nothing}
    ${state.blocks.length ? pieces(state, shows(page)).map(piece => onePiece(page, state, C, load, piece)) : empty('Nothing was said yet.')}`;
}

/** The newest request against its limit; what stands before the first message is the startup tax. */
function budget(state) {
  const request = state.request;
  if (!request) return html`<section class="panel" aria-label="Budget"><h2>Budget</h2><p class="note">No request was built yet; the conversation alone has ${plural(state.head.tokens, 'token')}.</p></section>`;
  const s = request.sections;
  const turn = s ? ofTurn(state, request, s.history) : 0;
  const parts = s ? [
    { name: 'instructions', value: s.instructions + s.rules, kind: 'instructions' },
    { name: 'memory', value: s.core + s.working, kind: 'memory' },
    { name: 'tools', value: s.tools, kind: 'tools' },
    { name: 'summary', value: s.summary, kind: 'summary' },
    { name: 'history', value: s.history - turn, kind: 'history' },
    { name: 'current turn ≈', value: turn, kind: 'turn', title: 'an estimate: of the turn that the request was for, as the timeline counts it' },
    { name: 'tail', value: s.tail + s.memory_update + s.activity, kind: 'tail', title: 'sources, announcements, changes of memory, activity' },
  ] : [
    { name: 'system', value: request.system_tokens, kind: 'instructions' },
    { name: 'conversation', value: request.stable_tokens, kind: 'history' },
    { name: 'tail', value: request.tail_tokens, kind: 'tail' },
  ];
  const tax = s ? s.instructions + s.rules + s.core + s.working + s.tools : request.system_tokens;
  const limit = request.max_tokens;
  const used = parts.reduce((sum, part) => sum + part.value, 0);
  const free = { name: 'free', value: Math.max(0, limit - used), kind: 'free' };
  const share = limit ? used / limit : 1;
  return html`<section class="panel" aria-label="Budget">
    <h2>What the model got last <span class="dim">${plain(request.model)} · ${plural(used, 'token')}${limit ? ' of ' + number(limit) + ' (' + percent(share) + ')' : nothing}</span></h2>
    ${limit && share < WHOLE_BAR ? html`<p class="axis"><span>the limit: ${percent(share)} is used</span><span>${plural(limit, 'token')}</span></p>${bar([...parts, free], { legend: false })}
      <svg class="zoom" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true"><path d=${'M0 0L0 14L1000 14L' + share * 1000 + ' 0z'}></path></svg>
      <p class="axis"><span>what is used, enlarged</span><span>${plural(used, 'token')}</span></p>${bar(parts, { more: [free] })}` : bar(limit ? [...parts, free] : parts)}
    <p class="note">Startup tax, before the first message: <b>${plural(tax, 'token')}</b> (${percent(used ? tax / used : 0)}).${since(state)}${early(state)}</p>
  </section>`;
}

/** What has come since the last request: the next one gets it, too. */
function since(state) {
  if (!state.sent) return nothing;
  const added = state.blocks.filter(block => block.seq > state.sent.newest && !block.hidden && block.type !== 'turn.header');
  return added.length ? html` The next request gets this and what came since: <b>${plural(added.length, 'block')}</b>, about ${plural(total(state, added), 'token')}.` : html` Nothing came since.`;
}

const EARLY = { tools: 'the tools', system: 'the instructions and memory', end: 'the end' };

/** Cache marks that stand behind something else than a block of the timeline. */
function early(state) {
  const places = [...new Set((state.sent?.early || []).map(place => EARLY[place]))];
  return places.length ? html` Cache marks: behind ${places.join(', ')}${state.sent.marks.size ? ', and below' : nothing}.` : nothing;
}

/** Tokens of a block as its model counts them: as they were sent, else by the ratio of the model. */
const counted = (state, block) => (block.path && state.sent?.tokens.get(block.path)) || Math.round((block.tokens || 0) * (block.seq ? state.request?.token_ratio || 1 : 1));
const total = (state, blocks) => blocks.reduce((sum, block) => sum + counted(state, block), 0);

/** What the turn of the request had until then, as the timeline counts it. */
function ofTurn(state, request, most) {
  const blocks = state.blocks.filter(block => block.turn_id === request.turn_id && !block.hidden && block.ts <= request.ts);
  return Math.min(most, Math.round(blocks.reduce((tokens, block) => tokens + (block.tokens || 0), 0) * (request.token_ratio || 1)));
}

function actions(page, state, C, load) {
  if (!may('writer')) return nothing;
  const newest = state.summaries.find(summary => !summary.withdrawn);
  return html`<button @click=${async () => { state.plan = await page.act(() => post(C + '/compact', { dry_run: true })); page.redraw(); }}>Preview a compaction</button>
    ${newest ? html`<button @click=${() => page.act(() => withdraw(C, newest), 'The summary was withdrawn: what it stood for is sent again.').then(load)}>Withdraw the newest summary</button>` : nothing}`;
}

const withdraw = (C, summary) => post(C + '/summaries/' + encodeURIComponent(summary.summary_id) + '/withdraw');

function planned(page, state, C, load) {
  const plan = state.plan;
  const done = plan.status === 'completed';
  const close = () => { state.plan = null; page.redraw(); };
  const compact = () => page.act(() => post(C + '/compact', {}), 'The conversation was compacted.').then(() => { state.plan = null; return load(); });
  return html`<section class="panel plan" aria-label="Preview of a compaction">
    <h2>A compaction would ${done ? html`cut before block ${number(plan.cut_seq)}` : 'change nothing'}</h2>
    ${done ? html`<p>${number(plan.tokens_before)} → <b>${number(plan.tokens_after)}</b> tokens; ${plural(plan.compacted_blocks, 'block')} of ${plural(plan.covered_turn_ids.length, 'turn')} are replaced by this summary. <a href=${href(['users', page.params.user, 'conversations', page.params.conversation], { all: page.query.all, at: firstKept(state, plan) })}>Show the cut</a></p>
        <details><summary>The summary, ${number((plan.summary || '').length)} characters</summary>${content(plan.summary || '', { most: 40_000 })}</details>${plan.receipt ? kept(plan.receipt) : nothing}`
      : html`<p>${plain(plan.status.replace('_', ' '))}: ${plain(plan.reason)}</p>`}
    <p>${done ? html`<button class="primary" @click=${compact}>Compact</button> ` : nothing}<button @click=${close}>Close</button></p>
  </section>`;
}

/** The path of the first block that a planned compaction leaves as it is. */
const firstKept = (state, plan) => state.blocks.find(block => block.seq >= plan.cut_seq && block.path && block.type !== 'turn.header')?.path;

/** The line at which the compaction that is previewed would cut. */
function cutLine(state, block) {
  const at = state.plan?.status === 'completed' && firstKept(state, state.plan);
  return at && at === block.path ? html`<p class="cutline">A compaction would cut here: what stands above is replaced by its summary.</p>` : nothing;
}

/** Where the newest summary ends: what stands before it is not sent. */
const cut = state => Math.max(0, ...state.summaries.filter(summary => !summary.withdrawn).map(summary => summary.cut_seq));

const place = (state, block) => block.seq ?? state.summaries.find(summary => summary.path === block.path)?.cut_seq ?? 0;

/** Whether blocks are shown that a summary stands for: when one of them is asked for, or all. */
const shows = page => Boolean(page.query.all || page.query.at);

const hiddenCount = state => state.blocks.filter(block => block.seq && block.seq < cut(state)).length;
const notSent = state => plural(hiddenCount(state), 'block is', 'blocks are') + ' not sent';

/** The blocks by turn, in pieces that are small enough to be drawn at once; they are cut anew when the blocks are others. */
function pieces(state, whole) {
  const from = whole ? 0 : cut(state);
  const known = state.cut;
  if (known && known.blocks === state.blocks && known.from === from) return known.pieces;
  const all = [];
  const sums = new Map(); // blocks of each turn that are shown
  const first = new Map(); // blocks of turns
  for (const block of state.blocks) if (block.seq && !first.has(block.turn_id)) first.set(block.turn_id, block.seq);
  for (const block of state.blocks) {
    if (place(state, block) < from) continue;
    const turn = block.seq ? block.turn_id : block.path; // a summary stands before its last turn, not in it
    if (!sums.has(turn)) sums.set(turn, []);
    sums.get(turn).push(block);
    const before = all.at(-1)?.parts.at(-1);
    const begins = before?.turn !== turn;
    if (!all.length || all.at(-1).size >= PIECE) all.push({ id: String(all.length), parts: [], size: 0, height: 0 });
    const piece = all.at(-1);
    const part = piece.parts.at(-1);
    if (part && !begins) part.blocks.push(block);
    else piece.parts.push({ turn, first: begins, blocks: [block] });
    piece.size += 1;
    piece.height += ROW_HEIGHT + (begins ? TURN_HEIGHT : 0);
  }
  state.cut = { blocks: state.blocks, from, pieces: all, sums, first, rounds: rounds(state.blocks) };
  return all;
}

function drawn(page, state, piece) {
  return state.shown.has(piece.id) || (!state.shown.size && Number(piece.id) < 3)
    || (page.query.at && piece.parts.some(part => part.blocks.some(block => block.path === page.query.at)));
}

function onePiece(page, state, C, load, piece) {
  return html`<div data-piece=${piece.id}>${drawn(page, state, piece) ? piece.parts.map(part => turnPart(page, state, C, load, part))
    : html`<div .style=${'height:' + (state.heights.get(piece.id) || piece.height) + 'px'}></div>`}</div>`;
}

function turnPart(page, state, C, load, part) {
  if (!part.blocks[0].seq) return html`<section class="turn" aria-label="Summary">${part.blocks.map(block => summaryBlock(page, state, C, block))}</section>`;
  const turn = state.turns.get(part.turn);
  const sum = part.first ? total(state, state.cut.sums.get(part.turn)) : 0;
  const goesOn = part.first && state.cut.from > state.cut.first.get(part.turn);
  const rows = part.blocks.filter(block => block.type !== 'turn.header');
  const above = part.first && rows.length ? cutLine(state, rows[0]) : nothing; // of the name of the turn
  return html`<section class="turn" aria-label=${'Turn ' + named(part.turn)}>
    ${above}${part.first ? html`<h2 dir="auto">${plain(part.turn)} ${turn && turn.status !== 'complete' ? badge(turn.status, turn.status === 'open' ? 'good' : turn.status === 'aborted' ? 'bad' : '') : nothing}
      <span class="dim">${turn ? clock(turn.started_at) : nothing} ${turn?.agent ? plain(turn.agent) : nothing} · ${plural(sum, 'token')}${turn?.status === 'complete' ? ' · complete' : nothing}${goesOn ? ' · its beginning is in the summary' : nothing}</span></h2>` : nothing}
    ${rows.map((block, i) => html`${i || above === nothing ? cutLine(state, block) : nothing}${roundHead(state, block)}${blockRow(page, state, C, load, block)}`)}
  </section>`;
}

/** Where rounds of a turn begin: a round is a call with its notes and its result; those that one answer asked for stand together. */
function rounds(blocks) {
  const heads = new Map();
  let turn = null;
  let group = null;
  let count = 0;
  for (const block of blocks) {
    if (block.turn_id !== turn) [turn, group, count] = [block.turn_id, null, 0];
    const call = block.type === 'react.tool.call';
    if (call || block.type === 'react.notes') {
      if (!group || group.answered) heads.set(block.seq, (group = { first: count + 1, tools: [], blocks: [], answered: false }));
      if (call) count += 1;
      if (call) group.tools.push(block.tool_id || '?');
    } else if (block.type === 'react.tool.result') {
      if (group) group.answered = true;
    } else {
      group = null;
      if (count && block.type === 'assistant.completion') heads.set(block.seq, { first: 0, tools: [], blocks: [block] });
    }
    if (group) group.blocks.push(block);
  }
  return heads;
}

function roundHead(state, block) {
  const round = state.cut.rounds.get(block.seq);
  if (!round) return nothing;
  if (!round.tools.length) return round.first ? nothing : html`<h3 class="round">Final round <span class="dim">· ${plural(total(state, round.blocks), 'token')}</span></h3>`;
  const last = round.first + round.tools.length - 1;
  return html`<h3 class="round">${last > round.first ? html`Rounds ${round.first}–${last}, asked for together` : html`Round ${round.first}`} <span class="dim">${[...new Set(round.tools)].map((tool, i) => html`${i ? ', ' : nothing}<code>${plain(tool)}</code>`)} · ${plural(total(state, round.blocks), 'token')}</span></h3>`;
}

/** What a block says as a person reads it: of a call what it asks for. */
function said(block) {
  if (block.type !== 'react.tool.call') return block.text || '';
  try {
    return JSON.stringify(JSON.parse(block.text).params) ?? block.text;
  } catch {
    return block.text || '';
  }
}

const AUTHORS = new Set(['user', 'assistant', 'react', 'tool', 'system']); // what the name of the block says already

function blockRow(page, state, C, load, block) {
  const covered = state.summaries.some(summary => !summary.withdrawn && block.seq < summary.cut_seq);
  const mark = state.sent?.marks.get(block.seq);
  const key = block.seq;
  const kind = block.type.replaceAll('.', '-');
  const text = said(block);
  const words = content(text, { open: state.opened.has(key), most: block.type === 'react.tool.result' ? 220 : 600, kind: block.mime === 'application/json' || text !== block.text ? 'code' : '', onOpen: () => { state.opened.add(key); page.redraw(); } });
  const short = INLINE.has(block.type) && text.length <= SHORT && !text.includes('\n');
  return html`<article class=${'block ' + kind + (block.hidden ? ' hidden' : '') + (covered ? ' covered' : '') + (block.path === page.query.at ? ' marked' : '')}>
    <header><a data-item class="seq" href=${linkTo(page, block.path)}>${number(block.seq)}</a>
      <b title=${named(block.type)}>${SPEAKERS[block.type] || plain(block.type)}</b> ${block.tool_id ? html`<code>${plain(block.tool_id)}</code>` : nothing}
      ${block.author && !AUTHORS.has(block.author) ? html`<span class="dim">${plain(block.author)}</span>` : nothing}
      ${block.is_error ? badge('error', 'bad') : nothing}
      ${block.hidden ? badge('hidden', 'warn', block.replacement_text || '') : nothing}
      ${covered ? badge('in a summary', '', 'not sent: a summary stands for it') : nothing}
      ${state.pins.has(block.path) ? badge('pinned', 'good') : nothing}
      ${views(state, block)} ${short ? words : nothing}
      <span class="grow"></span>${pathOf(page, block)}
      <span class="n dim">${number(counted(state, block))} tok</span>
      ${state.request && block.path ? html`<a class="small whylink" title="Why the last request shows it, or not" href=${href(['users', page.params.user, 'conversations', page.params.conversation, 'requests', state.request.request_id], { why: block.path })}>why?</a>` : nothing}
      ${may('writer') && block.path ? buttons(page, state, C, load, block) : nothing}</header>
    ${short ? nothing : words}
    ${block.hidden ? html`<p class="note">In its place the model reads: ${block.replacement_text ? html`<q dir="auto">${plain(block.replacement_text)}</q>` : 'nothing'}</p>` : nothing}
  </article>${markLine(mark)}`;
}

const linkTo = (page, path) => href(['users', page.params.user, 'conversations', page.params.conversation], { at: path });

const pathOf = (page, block) => (block.path ? html`<a class="path" dir="auto" href=${linkTo(page, block.path)}><code>${plain(block.path)}</code></a>${copyButton(block.path, 'Copy the path')}` : nothing);

/** Where the last request told the provider to keep what stands above. */
const markLine = tokens => (tokens === undefined ? nothing : html`<p class="point" title="the last request has a cache mark here: what stands above is read from the provider's cache while it lives">cache mark of the last request · ${plural(tokens, 'token')} up to here</p>`);

/** Requests that show less of a block than is stored: of the budgets that shorten it, and what the last one did. */
function views(state, block) {
  const less = state.sent?.shortened.get(block.path);
  const all = block.views || [];
  if (!less && !all.length) return nothing;
  return html`${less && !block.hidden ? badge('shortened', 'warn', less.detail) : nothing}${all.length ? badge('shortened up to ' + number(Math.max(...all.map(view => view.max_tokens))) + ' tokens', '', all.map(view => 'requests of at most ' + number(view.max_tokens) + ' tokens (' + view.reason + ') read: ' + (view.replacement_text || 'nothing')).join('\n')) : nothing}`;
}

function buttons(page, state, C, load, block) {
  const done = (what, words) => page.act(what, words).then(load);
  const pinned = state.pins.has(block.path);
  return html`<span class="acts">
    <button class="small" @click=${() => done(() => (pinned ? remove(C + '/pins?path=' + encodeURIComponent(block.path)) : post(C + '/pins', { path: block.path })), pinned ? 'No longer pinned.' : 'Pinned: it stays in context.')}>${pinned ? 'Unpin' : 'Pin'}</button>
    <button class="small" @click=${() => done(() => (block.hidden ? post(C + '/unhide', { path: block.path }) : hide(C, block.path)), block.hidden ? 'Shown again.' : 'Hidden.')}>${block.hidden ? 'Unhide' : 'Hide'}</button></span>`;
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
  const tokens = counted(state, block);
  const stored = block.tokens === tokens ? '' : number(block.tokens) + ' tokens as it is stored; so many with its heading, as the model counts them';
  return html`<article class=${'block summary' + (block.path === page.query.at ? ' marked' : '')}>
    <header><b>Summary</b> ${summary ? html`<span class="dim">stands for ${plural(summary.covered_turn_ids.length, 'turn')}, blocks ${number(summary.from_seq)} to ${number(summary.cut_seq - 1)}</span>` : nothing}
      ${shows(page) ? nothing : html`<a href=${href(['users', page.params.user, 'conversations', page.params.conversation], { all: 1 })}>Show ${plural(hiddenCount(state), 'block')}</a>`}
      <span class="grow"></span>${pathOf(page, block)}<span class="n dim" title=${stored || nothing}>${number(tokens)} tok</span></header>
    ${content(block.text || '', { most: 300, kind: 'headed', open: state.opened.has(block.path), onOpen: () => { state.opened.add(block.path); page.redraw(); } })}
    ${said ? receipt(said) : summary ? html`<button class="more" @click=${open}>Entries and receipt</button>` : nothing}
  </article>${markLine(state.sent?.marks.get(block.path))}`;
}

/** What a summary keeps of what, and what it leaves out. */
function kept(receipt) {
  const kinds = Object.entries(receipt?.tokens || {});
  return html`<h3>Receipt ${receipt ? badge('written by ' + receipt.writer) : nothing}</h3>
    ${kinds.length ? html`<table class="rows"><thead><tr><th>Tokens of</th><th class="n">Kept</th><th class="n">Left out</th></tr></thead><tbody>${kinds.map(([kind, sums]) => html`<tr><td>${plain(kind)}</td><td class="n">${number(sums.kept)}</td><td class="n">${number(sums.left_out)}</td></tr>`)}</tbody></table>` : html`<p class="note">This summary was made before receipts were kept.</p>`}`;
}

function receipt(said) {
  return html`<div class="receipt">${kept(said.receipt)}
    <h3>Entries</h3><ul class="entries">${said.entries.map(entry => html`<li>${badge(entry.kind)} ${entry.path ? html`<a href="#" @click=${event => { event.preventDefault(); refine({ at: entry.path }); }}><code>${plain(entry.path)}</code></a>` : nothing} ${plain(entry.text.slice(0, 300))} <span class="dim">${number(entry.tokens)} tok</span></li>`)}</ul></div>`;
}
