// One request: the exact body, and what differs from the one before and why.
import { get, text } from './api.js';
import { base, links } from './conversation.js';
import { prefixBadge, price, rebased, used } from './requests.js';
import { href, refine } from './router.js';
import { reasons, whyPanel } from './why.js';
import { badge, bar, clock, content, copyButton, empty, html, money, nothing, number, plain, plural } from './ui.js';

export async function open(page) {
  const C = base(page.params);
  const path = C + '/requests/' + encodeURIComponent(await named(C, page));
  const [whole, changed] = await Promise.all([text(path, page), get(path + '?diff=previous', page).catch(failed => ({ problem: failed }))]);
  const before = changed.diff?.previous ? await get(C + '/requests/' + encodeURIComponent(changed.diff.previous), page).catch(() => null) : null;
  const record = JSON.parse(whole);
  const raw = whole.slice(whole.indexOf(',"request":') + 11, whole.lastIndexOf('}')); // the bytes that were sent
  const state = { record, raw, before, diff: changed.diff || null, problem: changed.problem || null, open: new Set() };
  const why = reasons(page, path);
  state.why = why.state;
  page.changed = () => why.ask();
  page.show({
    title: 'Request of ' + record.ts.slice(0, 19).replace('T', ' '),
    crumbs: [['Conversations', href([])], [page.params.conversation, links(page.params)], ['Requests', links(page.params, 'requests')]],
    twin: path,
    view: () => view(page, state),
  });
  await why.load();
}

/** The request that the address names; 'newest' is the last one. */
async function named(C, page) {
  if (page.params.request !== 'newest') return page.params.request;
  const { requests } = await get(C + '/requests?limit=1', page);
  return requests[0]?.request_id ?? 'newest';
}

const PROOFS = {
  repair: 'It was held against the rules of its provider; what can be repaired is.',
  strict: 'It was held against the rules of its provider; what breaks one is refused.',
  report: 'What breaks a rule of its provider was reported only, and left as it was.',
};

function view(page, state) {
  const { record } = state;
  const use = used(record);
  return html`<section class="panel"><p>${prefixBadge(record, state.before)} <b>${plain(record.model)}</b> ${record.turn_id ? html`turn <a href=${links(page.params)}>${plain(record.turn_id)}</a>` : nothing}
      ${clock(record.ts)} · ${plural(record.usage?.total_input ?? record.estimated_tokens, 'input token')} · ${money(price(record), record.currency || 'USD')}</p>
    ${bar([{ name: 'read from the cache', value: use.read, kind: 'read' }, { name: 'written', value: use.write, kind: 'write' }, { name: 'uncached', value: use.plain, kind: 'plain' }])}
    ${use.real ? nothing : html`<p class="note">Predicted: no answer was recorded.</p>`}
    ${record.repairs?.length ? html`<h3>Repairs</h3><ul class="entries">${record.repairs.map(repair => html`<li>${badge(repair.code, 'warn')} <code>${plain(repair.where || '')}</code> ${plain(repair.reason || '')}</li>`)}</ul>` : nothing}
    <p class="note" data-name="proof">${record.repairs?.length ? nothing : 'No repairs. '}${PROOFS[record.proof] || nothing} ${record.marks?.length ? html`Cache marks: ${record.marks.map((mark, i) => html`${i ? ', ' : nothing}<code>${plain(mark)}</code>`)}.` : 'No cache marks.'}</p>
  </section>
  ${difference(page, state)}
  ${whyPanel(page, state.why)}
  ${body(page, state)}`;
}

function difference(page, state) {
  const { diff } = state;
  if (!diff) return html`<section class="panel"><h2>Difference</h2><p class="note">${state.problem ? plain(state.problem.message) : 'There is no request before it.'}</p></section>`;
  const cause = diff.divergence;
  const anew = rebased(state.record, state.before);
  return html`<section class="panel" aria-label="Difference to the request before"><h2>Against the request before
      <span class="dim">${plural(diff.shared_blocks, 'part')} unchanged (${plural(diff.shared_tokens, 'token')}), ${number(diff.removed.length)} removed, ${number(diff.added.length)} added</span></h2>
    ${anew ? html`<p>${badge('prefix begun anew', 'warn')} ${anew.why}. ${again(state.record)}</p>` : nothing}
    ${cause ? html`<div class="cause"><p>${badge('prefix changed', 'bad')} <code>${plain(cause.path || cause.kind || '')}</code> ${plain(cause.actor || '')} ${plain(cause.operation || '')}: ${plural(cause.tokens_lost, 'token is', 'tokens are')} lost from the cache, which costs ${plural(cause.cost_lost, 'plain input token')}${priced(cause.money_lost, cause.currency)}.</p>
      <p class="note">${plain(cause.advice || '')}</p>${content('was: ' + (cause.was || ''), { kind: 'code gone' })}${content('now: ' + (cause.now || ''), { kind: 'code come' })}</div>` : nothing}
    <div class="two"><div><h3>Removed</h3>${list(page, diff.removed, 'gone')}</div><div><h3>Added</h3>${list(page, diff.added, 'come')}</div></div></section>`;
}

const priced = (value, currency) => (value === undefined || value === null ? nothing : ' (' + money(value, currency || 'USD') + ')');

/** What the new beginning costs, where something was written to the cache again. */
function again({ rewritten, currency }) {
  if (!rewritten) return nothing;
  return html`${plural(rewritten.tokens, 'token is', 'tokens are')} written to the cache again, which costs ${plural(rewritten.cost, 'plain input token')} more than reading them${priced(rewritten.money, currency)}.`;
}

function list(page, parts, kind) {
  if (!parts.length) return empty('Nothing.');
  return html`<ul class=${'parts ' + kind}>${parts.map(part => html`<li>${badge(part.role)} ${badge(part.kind)} ${part.path?.includes(':') ? html`<a href=${href(['users', page.params.user, 'conversations', page.params.conversation], { at: part.path })}><code>${plain(part.path)}</code></a>` : html`<code>${plain(part.path || part.tier)}</code>`} <span class="dim">by ${plain(part.actor || '–')}, ${number(part.tokens)} tok</span></li>`)}</ul>`;
}

/** The body, folded by its members, and found in. */
function body(page, state) {
  const sent = state.record.request;
  if (!sent) return html`<section class="panel"><h2>Body</h2>${empty('The body is gone: what it showed was erased.')}</section>`;
  const q = (page.query.q || '').toLowerCase();
  const marks = state.record.marks || [];
  const rows = Object.entries(sent).flatMap(([name, value]) => (Array.isArray(value) ? value.map((item, i) => ['/' + name + '/' + i, item]) : [['/' + name, value]]));
  const found = rows.map(([where, value]) => [where, typeof value === 'string' ? value : JSON.stringify(value, null, 2)]).filter(([where, words]) => !q || words.toLowerCase().includes(q) || where.includes(q));
  return html`<section class="panel" aria-label="Body"><h2>The exact body <span class="dim">${plural(state.record.body_bytes, 'byte')}</span> ${copyButton(state.raw, 'Copy the body')}</h2>
    <div class="tools"><input data-filter type="search" placeholder="Find in the body" aria-label="Find in the body" .value=${page.query.q || ''} @input=${event => refine({ q: event.target.value })}> <span class="dim">${plural(found.length, 'part')}</span></div>
    ${found.map(([where, words]) => html`<details ?open=${Boolean(q) && found.length < 20}><summary><code>${where}</code> ${marks.some(mark => mark === where || mark.startsWith(where + '/')) ? badge('cache mark', 'good') : nothing} <span class="dim">${plain(words.replace(/\s+/g, ' ').slice(0, 110))}</span></summary>${content(words, { most: 4000, kind: 'code', words: q ? [q] : [], open: state.open.has(where), onOpen: () => { state.open.add(where); page.redraw(); } })}</details>`)}</section>`;
}
