// The tour through the demo: what is on the pages, step by step. A step is an address, as every
// state is; what it is about is outlined.
import { href, place } from './router.js';
import { html, nothing } from './ui.js';

const TALK = ['users', 'hanna', 'conversations', 'late-tent'];
const STEPS = [
  { parts: TALK, find: '[aria-label=Budget]', title: 'What the model got', words: 'The last request as one bar, by section, against the limit. What stands before the first message is the startup tax: every call pays it.' },
  { parts: TALK, find: '.block.summary', title: 'What was compacted', words: 'A summary stands in the place of the blocks that it covers. “Entries and receipt” says what it keeps of whom, and what it leaves out. Nothing is lost: the blocks are stored, and the summary can be withdrawn.' },
  { parts: TALK, find: '.point', title: 'Where the cache ends', words: 'The last request asked the provider to keep what stands above this mark. While its cache lives, the next call reads that at a tenth of the price.' },
  { parts: [...TALK, 'requests'], find: '[aria-label="Over time"]', title: 'What it cost over time', words: 'A bar for each call: read from the cache, written, uncached; triangles where the prefix was begun anew. “What if” simulates the same calls with another choice.' },
  { parts: [...TALK, 'requests', 'newest'], find: '[aria-label="Difference to the request before"]', title: 'What changed, and why', words: 'Each call against the one before: what is unchanged, removed and added, and which event changed the prefix.' },
  { parts: [...TALK, 'requests', 'newest'], find: '[aria-label=Why]', title: 'Why is it here, why is it not?', words: 'The reason of each part; ask about any path, memory block or turn. The exact body is below.' },
  { parts: ['agents', 'mira'], find: '[aria-label=Blocks]', title: 'What the agent remembers', words: 'Memory by type, as the model reads it. A block has an editor by its schema, its history with undo, and who shares it.' },
  { parts: ['search'], query: { q: 'tent' }, find: '.hit', title: 'Finding it again', words: 'Messages and memory in one search; each hit says why it is one.' },
];

const TOUR = 'tour';
const step = () => Math.min(STEPS.length, Math.max(1, Number(place().query[TOUR]) || 1));
const link = number => href(STEPS[number - 1].parts, { ...STEPS[number - 1].query, [TOUR]: number });

/** Whether the address is a step of the tour. */
export const isTour = () => TOUR in place().query;

/** The panel of the step that the address names. */
export function tourPanel() {
  const now = step();
  const { title, words } = STEPS[now - 1];
  return html`<aside class="tour" aria-label="Tour"><h2>${title} <span class="dim">${now} of ${STEPS.length}</span></h2><p>${words}</p>
    <div class="tools">${now > 1 ? html`<a href=${link(now - 1)}>Back</a>` : nothing}
      ${now < STEPS.length ? html`<a class="next" href=${link(now + 1)}>Next</a>` : html`<a class="next" href=${href([])}>Done</a>`}
      <span class="grow"></span><a href=${href(place().parts)}>End the tour</a></div></aside>`;
}

let pointed = '';

/** Outlines what the step is about, when it is there, and takes the keyboard along. */
export function point() {
  const found = document.querySelector(STEPS[step() - 1].find);
  const key = location.hash;
  if (!found || (pointed === key && 'toured' in found.dataset)) return;
  document.querySelectorAll('[data-toured]').forEach(element => delete element.dataset.toured);
  found.dataset.toured = '';
  if (pointed === key) return; // it was drawn again
  pointed = key;
  found.scrollIntoView({ block: found.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
  document.querySelector('.tour .next')?.focus({ preventScroll: true });
}
