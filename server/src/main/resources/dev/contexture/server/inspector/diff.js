// Two texts line by line: what went, what came, what stayed.
import { html, nothing, number, plain } from './ui.js';

const MOST = 1500; // lines of each side that are compared; beyond, all counts as changed
const AROUND = 3; // lines that are shown around a change

/** The steps from one text to the other: [{kind: 'same'|'gone'|'come', text}]. */
export function lines(before, after) {
  const a = before.split('\n');
  const b = after.split('\n');
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let back = 0;
  while (back < a.length - from && back < b.length - from && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  const same = list => list.map(text => ({ kind: 'same', text }));
  return [...same(a.slice(0, from)), ...middle(a.slice(from, a.length - back), b.slice(from, b.length - back)), ...same(a.slice(a.length - back))];
}

function middle(a, b) {
  const as = (kind, list) => list.map(text => ({ kind, text }));
  if (a.length > MOST || b.length > MOST) return [...as('gone', a), ...as('come', b)];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width); // of the longest common rest
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  const steps = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      steps.push({ kind: 'same', text: a[i++] });
      j++;
    } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
      steps.push({ kind: 'gone', text: a[i++] });
    } else {
      steps.push({ kind: 'come', text: b[j++] });
    }
  }
  return [...steps, ...as('gone', a.slice(i)), ...as('come', b.slice(j))];
}

/** The difference as a page shows it: changed lines with some around them. */
export function difference(before, after) {
  const steps = lines(before, after);
  const near = steps.map((_, i) => steps.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(step => step.kind !== 'same'));
  if (!near.includes(true)) return html`<p class="note">No line differs.</p>`;
  let hidden = 0;
  const rows = [];
  steps.forEach((step, i) => {
    if (!near[i]) {
      hidden++;
      return;
    }
    if (hidden) rows.push(html`<li class="dim">… ${number(hidden)} lines</li>`);
    hidden = 0;
    const [sign, name] = { same: [' ', ''], gone: ['−', 'gone: '], come: ['+', 'new: '] }[step.kind];
    rows.push(html`<li class=${step.kind} dir="auto"><span class="sign" aria-hidden="true">${sign}</span>${name ? html`<span class="unseen">${name}</span>` : nothing}${plain(step.text)}</li>`);
  });
  if (hidden) rows.push(html`<li class="dim">… ${number(hidden)} lines</li>`);
  return html`<ol class="diff">${rows}</ol>`;
}
