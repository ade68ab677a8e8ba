// Editors of memory by schema: texts, fields, items, log entries, sections. What a person types is
// a draft until it is saved; while there are drafts, the page shows the version they began with.
import { html, nothing, number, plain, plural } from './ui.js';

const key = (section, kind, name = '') => JSON.stringify([section, kind, name]);
const part = (value, section) => (section === '' ? value : value?.[section]);
const written = value => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** The value that a draft replaces, in some version of the block. */
function valueAt(block, draft) {
  const [section, kind, name] = JSON.parse(draft);
  const value = part(block.value, section);
  return kind === 'text' ? value : value?.[name];
}

/** Drafts whose value others have changed since the person began: [{draft, theirs}]. */
export const conflicts = state => [...state.drafts.keys()]
  .filter(draft => JSON.stringify(valueAt(state.base, draft)) !== JSON.stringify(valueAt(state.block, draft)))
  .map(draft => ({ draft, theirs: written(valueAt(state.block, draft)) }));

/** What the drafts say as operations of the API, with the draft of each. */
export function operations(state) {
  return [...state.drafts].map(([draft, typed]) => {
    const [section, kind, name, type] = JSON.parse(draft);
    const where = section === '' ? {} : { section };
    if (kind === 'text') return { draft, op: section === '' ? { op: 'set_text', text: typed } : { op: 'set_text_in_section', section, text: typed } };
    if (kind === 'item') return { draft, op: { op: 'set_item', index: name, value: parsed(typed, valueAt(state.base, draft)), ...where } };
    if (type === 'counter') return { draft, op: { op: 'increment_counter', field: name, by: whole(name, typed) - (valueAt(state.base, draft) || 0), ...where } };
    return { draft, op: { op: 'set_field', field: name, value: fieldValue(name, type, typed), ...where } };
  });
}

function whole(name, typed) {
  if (!/^-?\d+$/.test(typed.trim())) throw new Error(name + ' is a counter: it takes a whole number, not “' + typed + '”');
  return Number(typed);
}

function fieldValue(name, type, typed) {
  if (type === 'boolean') return typed === 'true';
  if (type === 'number') {
    if (typed.trim() === '' || Number.isNaN(Number(typed))) throw new Error(name + ' takes a number, not “' + typed + '”');
    return Number(typed);
  }
  return type === 'text' || type === 'timestamp' ? typed : parsed(typed, null);
}

/** A text stays a text where there was one; anything else is read as JSON. */
function parsed(typed, before) {
  if (typeof before === 'string') return typed;
  try {
    return JSON.parse(typed);
  } catch {
    if (before === null || before === undefined) return typed;
    throw new Error('this has to stay JSON: ' + typed.slice(0, 80));
  }
}

/** The editor of a block; 'tools' are {draft(key, text), now(op, words), drop(key)}. */
export function editor(state, tools) {
  const block = state.drafts.size ? state.base : state.block;
  return html`<div class="editor">${parts(state, tools, block.schema, block, '', '')}</div>`;
}

function parts(state, tools, schema, block, section, title) {
  const value = part(block.value, section);
  switch (schema?.kind) {
    case 'map': return fields(state, tools, schema, value || {}, section);
    case 'list': return items(state, tools, value || [], section);
    case 'log': return log(state, tools, schema, value || [], section);
    case 'composite': return schema.sections.map(one => html`<fieldset><legend>${plain(one.name)} ${one.read_only ? html`<span class="badge">read only</span>` : nothing} <span class="dim">${plain(one.description || '')}</span></legend>${parts(state, tools, one.schema, block, one.name, one.name)}</fieldset>`);
    default: return text(state, tools, value || '', section, title);
  }
}

function text(state, tools, value, section, title) {
  const draft = key(section, 'text');
  return html`${area(state, tools, draft, value, title || 'Text', 12)}${clash(state, tools, draft, 'Saving merges both.')}`;
}

/** What a field shows where nothing is typed: of a field that was given up, what others wrote. */
const known = (state, draft, value) => (state.drafts.size && state.taken.has(draft) ? written(valueAt(state.block, draft)) : value);

const area = (state, tools, draft, saved, name, rows = 2) => {
  const value = known(state, draft, saved);
  const shown = state.drafts.get(draft) ?? value;
  return html`<textarea aria-label=${name} rows=${Math.min(24, Math.max(rows, shown.split('\n').length + (rows > 1 ? 1 : 0)))} dir="auto" .value=${shown} @input=${event => tools.draft(draft, event.target.value, value)}></textarea>`;
};

/** What others wrote where the person has a draft. */
function clash(state, tools, draft, saving = 'Saving writes yours over it.') {
  const found = state.drafts.has(draft) && conflicts(state).find(one => one.draft === draft);
  if (!found) return nothing;
  return html`<p class="clash" role="alert">Changed meanwhile (version ${number(state.block.version)}): <q>${plain(found.theirs.slice(0, 400))}</q>
    ${saving} <button type="button" @click=${() => tools.drop(draft)}>Take theirs</button></p>`;
}

function fields(state, tools, schema, value, section) {
  const known = new Set((schema.fields || []).map(field => field.name));
  const all = [...(schema.fields || []), ...Object.keys(value).filter(name => !known.has(name)).map(name => ({ name, type: typeof value[name] === 'string' ? 'text' : 'json' }))];
  return html`<div class="fields">${all.map(field => one(state, tools, field, value[field.name], section))}</div>`;
}

function one(state, tools, field, value, section) {
  const draft = JSON.stringify([section, 'field', field.name, field.type]);
  const where = section === '' ? {} : { section };
  const label = html`<span class="name"><b>${plain(field.name)}</b> <span class="dim">${field.type}${field.required ? ', required' : nothing}${field.read_only ? ', read only' : nothing}</span></span>`;
  const clear = value !== undefined && !field.required ? html`<button type="button" class="small" @click=${() => tools.now({ op: 'remove_field', field: field.name, ...where }, field.name + ' was removed.')}>Clear</button>` : nothing;
  const about = field.description ? html`<span class="note">${plain(field.description)}</span>` : nothing;
  if (field.type === 'list') {
    const list = Array.isArray(value) ? value : [];
    return html`<div class="field">${label}<ul>${list.map((item, index) => html`<li dir="auto">${plain(written(item))} <button type="button" class="small" aria-label=${'Remove ' + written(item).slice(0, 60)} @click=${() => tools.now({ op: 'remove_from_list_field', field: field.name, index, ...where }, 'Removed.')}>Remove</button></li>`)}</ul>
      ${adder('Add to ' + field.name, typed => tools.now({ op: 'append_to_list_field', field: field.name, value: typed, ...where }, 'Added.'))}${about}</div>`;
  }
  if (field.type === 'boolean') {
    const shown = state.drafts.get(draft) ?? (value === undefined ? '' : String(value));
    return html`<label class="field">${label}<select .value=${shown} @change=${event => tools.draft(draft, event.target.value, value === undefined ? '' : String(value))}>${['', 'true', 'false'].map(option => html`<option value=${option} ?disabled=${option === ''} ?selected=${option === shown}>${option || '–'}</option>`)}</select>${clear}${about}${clash(state, tools, draft)}</label>`;
  }
  return html`<div class="field">${label}${area(state, tools, draft, written(value), field.name, 1)}${clear}${about}${clash(state, tools, draft)}</div>`;
}

function items(state, tools, list, section) {
  const where = section === '' ? {} : { section };
  return html`<ol class="items">${list.map((item, index) => {
    const draft = key(section, 'item', index);
    return html`<li>${area(state, tools, draft, written(item), 'Item ' + (index + 1), 1)} <button type="button" class="small" aria-label=${'Delete item ' + (index + 1)} @click=${() => tools.now({ op: 'delete_item', index, ...where }, 'Deleted.')}>Delete</button>${clash(state, tools, draft, 'Saving leaves it as it is, and asks you.')}</li>`;
  })}</ol>${adder('New item', typed => tools.now({ op: 'push_item', value: typed, ...where }, 'Added.'))}`;
}

/** A field that adds what is typed, with Enter or its button. */
function adder(name, add) {
  const submit = event => {
    event.preventDefault();
    const input = event.target.elements.added;
    if (input.value !== '') add(input.value);
    input.value = '';
  };
  return html`<form class="adder" @submit=${submit}><input name="added" aria-label=${name} placeholder=${name} autocomplete="off"><button>Add</button></form>`;
}

function log(state, tools, schema, list, section) {
  const entry = schema.entry_schema || {};
  const names = [...(entry.fields || []).map(field => field.name), ...(entry.agent_id ? ['agent_id'] : [])];
  const submit = event => {
    event.preventDefault();
    const typed = {};
    for (const field of entry.fields || []) {
      const value = event.target.elements[field.name].value;
      if (value !== '') typed[field.name] = fieldValue(field.name, field.type === 'counter' ? 'number' : field.type, value);
    }
    if (entry.agent_id && event.target.elements.agent_id.value) typed.agent_id = event.target.elements.agent_id.value;
    tools.now({ op: 'append_log_entry', entry: typed, ...(section === '' ? {} : { section }) }, 'Added to the log.').then(done => done && event.target.reset());
  };
  return html`<p class="note">${plural(list.length, 'entry', 'entries')}; a log only grows.</p>
    <form class="fields" @submit=${submit}>${names.map(name => html`<label class="field"><span class="name"><b>${plain(name)}</b></span><input name=${name} autocomplete="off" dir="auto"></label>`)}<p><button>Add the entry</button></p></form>`;
}
