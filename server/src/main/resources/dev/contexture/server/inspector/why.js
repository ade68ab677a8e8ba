// Why a request holds what it holds, and why not what it does not.
import { get, pages } from './api.js';
import { base } from './conversation.js';
import { href, refine } from './router.js';
import { badge, empty, html, nothing, number, plain, plural } from './ui.js';

const FIRST = 60; // parts that are drawn at once
const KINDS = { sent: 'good', shortened: 'warn', summarized: 'warn', not_sent: 'bad', unknown: '' };
const ANSWERS = { sent: 'It is in the request.', shortened: 'It is in the request, but not whole.', summarized: 'A summary stands in its place.', not_sent: 'It is not in the request.', unknown: 'There is no answer.' };

/** What the panel shows: loaded with the request; the answer about a path when one is asked for. */
export function reasons(page, path) {
  const state = { all: null, problem: null, asked: '', answer: null, paths: [], more: false };
  const load = async () => {
    const [all, blocks] = await Promise.all([get(path + '/why', page).catch(failed => ({ problem: failed })), names(page)]);
    Object.assign(state, { all: all.problem ? null : all, problem: all.problem || null, paths: blocks });
    page.redraw();
    await ask();
  };
  const ask = async () => {
    const wanted = page.query.why || '';
    if (wanted === state.asked) return;
    Object.assign(state, { asked: wanted, answer: null });
    if (wanted) state.answer = (await page.act(() => get(path + '/why?path=' + encodeURIComponent(wanted), page))) || null;
    page.redraw();
  };
  return { state, load, ask };
}

/** Paths that may be asked for. */
async function names(page) {
  const { rows } = await pages(base(page.params) + '/turns', 'turns', { signal: page.signal, most: 200 }).catch(() => ({ rows: [] }));
  return rows.map(turn => turn.turn_id);
}

export function whyPanel(page, state) {
  return html`<section class="panel" aria-label="Why"><h2>Why is it here, why is it not? <span class="dim">${state.all ? plural(state.all.parts.length, 'part') + ', ' + plural(state.all.dropped?.length || 0, 'left out', 'left out') : nothing}</span></h2>
    <form class="tools" role="search" @submit=${event => { event.preventDefault(); refine({ why: event.target.elements.why.value.trim() }); }}>
      <input name="why" type="search" list="paths" size="40" placeholder="A path, a memory block or a turn" aria-label="Ask about" .value=${page.query.why || ''}>
      <datalist id="paths">${known(state).map(name => html`<option value=${name}></option>`)}</datalist><button>Why?</button></form>
    ${state.answer ? answer(page, state) : nothing}
    ${state.problem ? html`<p class="note">${plain(state.problem.message)}</p>` : nothing}
    ${state.all ? list(page, state) : state.problem ? nothing : html`<p class="loading">Loading…</p>`}</section>`;
}

const known = ({ all, paths }) => [...new Set([...(all?.dropped || []).map(one => one.id), ...(all?.truncated || []).map(one => one.id), ...(all?.memory || []), ...paths])].slice(0, 300);

function answer(page, { answer: said }) {
  const link = said.path.includes(':') ? href(['users', page.params.user, 'conversations', page.params.conversation], { at: said.path }) : null;
  return html`<div class="answer" role="status"><p>${badge(said.status.replace('_', ' '), KINDS[said.status])} <b>${ANSWERS[said.status]}</b> ${link ? html`<a href=${link}><code>${plain(said.path)}</code></a>` : html`<code>${plain(said.path)}</code>`} ${said.reason === said.status ? nothing : badge(words(said.reason))}</p>
    <p>${plain(said.detail)}${said.tokens ? html` <span class="dim">(${plural(said.tokens, 'token')})</span>` : nothing}</p>
    ${said.summary?.entry ? html`<p>The summary says: <q>${plain(said.summary.entry.text || '')}</q></p>` : nothing}
    ${said.part !== null ? html`<p class="note">Part ${number(said.part)} of the request holds it.</p>` : nothing}
    ${said.advice ? html`<p class="note">What would change it: ${plain(said.advice)}.</p>` : nothing}</div>`;
}

function list(page, state) {
  const { all } = state;
  const left = [...(all.dropped || []).map(one => [one, 'left out', 'bad']), ...(all.truncated || []).map(one => [one, 'shortened', 'warn'])];
  const parts = state.more ? all.parts : all.parts.slice(0, FIRST);
  return html`${left.length ? html`<h3>Left out or shortened</h3><ul class="entries">${left.map(([one, what, kind]) => html`<li>${badge(what, kind)} ${badge(words(one.reason))} <a href=${href(here(page), { ...page.query, why: one.id })}><code>${plain(one.id)}</code></a> ${plain(one.detail)}${one.tokens ? html` <span class="dim">· ${plural(one.tokens, 'token')} less</span>` : nothing}</li>`)}</ul>`
      : all.recorded ? html`<p class="note">Nothing was left out or shortened.</p>` : html`<p class="note">This request was recorded without what it left out.</p>`}
    <h3>What is in it</h3>
    <table class="rows reasons"><thead><tr><th class="n">#</th><th>Part</th><th>Why</th><th class="n">Tokens</th></tr></thead><tbody>${groups(parts).map(group => (group.length > 1 ? tools(group, state.answer?.part) : line(page, group[0], state.answer?.part)))}</tbody></table>
    ${parts.length < all.parts.length ? html`<button class="more" @click=${() => { state.more = true; page.redraw(); }}>${number(all.parts.length - parts.length)} more parts</button>` : nothing}`;
}

const here = page => ['users', page.params.user, 'conversations', page.params.conversation, 'requests', page.params.request];

const words = code => code.replaceAll('_', ' ');

/** The words of a part, where its form is a member with a text. */
function readable(excerpt) {
  const found = excerpt.match(/^\{"type":\s*"[a-z_]*text",\s*"text":\s*"((?:[^"\\]|\\.)*)/) || excerpt.match(/"type":\s*"tool_result".*?"(?:content|text)":\s*"((?:[^"\\]|\\.)*)/);
  if (!found) return excerpt.replace(/"type":\s*"tool_use",\s*"id":\s*"[^"]*",\s*/, '');
  try {
    return JSON.parse('"' + found[1] + '"');
  } catch {
    return excerpt;
  }
}

const cut = text => (text.length > 110 ? text.slice(0, 110).replace(/\s\S*$/, '') + ' …' : text);

/** The parts one by one; tools that follow each other are together, as they are there for the same reason. */
function groups(parts) {
  const all = [];
  for (const part of parts) {
    if (part.reason === 'tools' && all.at(-1)?.[0].reason === 'tools') all.at(-1).push(part);
    else all.push([part]);
  }
  return all;
}

function tools(parts, asked) {
  const [first, last] = [parts[0], parts.at(-1)];
  const names = parts.map(part => part.excerpt.match(/"name":\s*"([^"]+)"/)?.[1] ?? '…').join(', ');
  return html`<tr class=${Number.isInteger(asked) && asked >= first.index && asked <= last.index ? 'fresh' : ''}><td class="n">${number(first.index)}–${number(last.index)}</td>
    <td class="main">${badge(first.tier)} ${plural(parts.length, 'tool')} <span class="dim" dir="auto">${plain(names)}</span></td>
    <td>${badge(first.reason)} ${plain(first.detail)}${parts.some(part => part.mark) ? html` ${badge('cache mark', 'good')}` : nothing}</td><td class="n">${number(parts.reduce((sum, part) => sum + part.tokens, 0))}</td></tr>`;
}

function line(page, part, asked) {
  return html`<tr class=${part.index === asked ? 'fresh' : ''}><td class="n">${number(part.index)}</td>
    <td class="main">${badge(part.tier)} ${part.path.includes(':') ? html`<a data-item href=${href(['users', page.params.user, 'conversations', page.params.conversation], { at: part.path })}><code>${plain(part.path)}</code></a>` : html`<code>${plain(part.path)}</code>`}
      <span class="dim" dir="auto">${plain(cut(readable(part.excerpt).replace(/\s+/g, ' ')))}</span></td>
    <td>${badge(words(part.reason), part.reason === 'summary' || part.reason === 'pinned' ? 'good' : '')} ${plain(part.detail)}${part.mark ? html` ${badge('cache mark', 'good', 'what stands above is kept in the cache of the provider')}` : nothing}</td><td class="n">${number(part.tokens)}</td></tr>`;
}
