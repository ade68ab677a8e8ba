// Talks to the server: with the key, for the project that the address names. The key is in this
// module only: not in the address, not in a cookie, not in the browser's storage.
import { place } from './router.js';

let key = null;
let caller = null;
const FULL = ['reader', 'writer', 'admin'];

/** A refusal of the server, or that it cannot be reached; what a person reads is in 'message'. */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail || body.title || 'the server answered ' + status);
    this.body = body;
    this.code = body.code || '';
    this.status = status;
  }
}

export const setKey = value => {
  key = value || null;
  caller = null;
};
export const hasKey = () => key !== null;
export const who = () => caller;

/** Whether what is shown may offer what needs this role. */
export const may = role => caller !== null && FULL.indexOf(caller.role) >= FULL.indexOf(role);

/** Asks who the caller is; it is known to 'who' and 'may' from then on. */
export async function identify() {
  caller = await get('/v1/caller');
  return caller;
}

let known = null;

/** The names that may be chosen from, as the server knows them: {block_type: [...], ...}. */
export const choices = async options => (known ??= await get('/v1/choices', options));

function headers(more) {
  const all = { Accept: 'application/json', ...more };
  if (key) all.Authorization = 'Bearer ' + key;
  const [tenant, project] = (place().query.scope || '').split('/');
  if (tenant) all['X-Tenant'] = tenant;
  if (project) all['X-Project'] = project;
  return all;
}

/** The address of a route, relative to the page, so that it works behind a proxy's prefix, too. */
export const address = path => path.replace(/^\//, '');

async function ask(method, path, body, { signal, headers: more } = {}) {
  const sent = { method, signal, headers: headers(more), cache: 'no-store' };
  if (body !== undefined) {
    sent.body = JSON.stringify(body);
    sent.headers['Content-Type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(address(path), sent);
  } catch (failed) {
    if (failed.name === 'AbortError') throw failed;
    throw new Problem({ code: 'unreachable', detail: 'the server does not answer; is it running?' }, 0);
  }
  if (!response.ok) throw await problem(response);
  return response;
}

async function problem(response) {
  const text = await response.text();
  try {
    return new Problem(JSON.parse(text), response.status);
  } catch {
    return new Problem({ detail: 'the server answered ' + response.status }, response.status);
  }
}

async function json(method, path, body, options) {
  const text = await (await ask(method, path, body, options)).text();
  return text ? JSON.parse(text) : null;
}

export const get = (path, options) => json('GET', path, undefined, options);
export const post = (path, body = {}, options) => json('POST', path, body, options);
export const put = (path, body = {}, options) => json('PUT', path, body, options);
export const patch = (path, body = {}, options) => json('PATCH', path, body, options);
export const remove = (path, options) => json('DELETE', path, undefined, options);

/** The text of an answer as it came: bodies of requests are shown byte for byte. */
export const text = async (path, options) => (await ask('GET', path, undefined, options)).text();

/** A path of the API; parts are names and are encoded: at`/v1/users/${user}`. */
export const at = (strings, ...names) =>
  strings.reduce((path, part, i) => path + encodeURIComponent(names[i - 1]) + part);

/** All pages of a list, up to 'most' entries: {rows, more}. */
export async function pages(path, member, { most = 1000, size = 200, signal } = {}) {
  const rows = [];
  let cursor = null;
  do {
    const joint = path.includes('?') ? '&' : '?';
    const more = cursor ? '&cursor=' + encodeURIComponent(cursor) : '';
    const page = await get(path + joint + 'limit=' + Math.min(size, most - rows.length) + more, { signal });
    rows.push(...page[member]);
    cursor = page.next_cursor;
  } while (cursor && rows.length < most);
  return { rows, more: cursor !== null };
}

/**
 * Follows a stream of events until the signal ends it, and comes back after a break from the last
 * id. 'told' gets (type, data, id), 'state' gets 'live' or 'waiting'.
 */
export async function follow(path, told, { signal, state = () => {}, after } = {}) {
  let last = after;
  let wait = 500;
  while (!signal.aborted) {
    try {
      const more = { Accept: 'text/event-stream' };
      if (last !== undefined) more['Last-Event-ID'] = String(last);
      const response = await ask('GET', path, undefined, { signal, headers: more });
      state('live');
      wait = 500;
      await events(response.body, (type, data, id) => {
        if (id !== undefined) last = id;
        told(type, data, id);
      });
    } catch (failed) {
      if (signal.aborted) return;
      if (failed.status >= 400 && failed.status < 500 && failed.status !== 429) {
        state('refused');
        return;
      }
    }
    state('waiting');
    await new Promise(done => setTimeout(done, wait));
    wait = Math.min(wait * 2, 10_000);
  }
}

async function events(body, told) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const event = { type: 'message', data: '', id: undefined };
      for (const line of part.split('\n')) {
        if (line.startsWith('event: ')) event.type = line.slice(7);
        else if (line.startsWith('data: ')) event.data += line.slice(6);
        else if (line.startsWith('id: ')) event.id = line.slice(4);
      }
      if (event.data) told(event.type, JSON.parse(event.data), event.id);
    }
  }
}
