// Every state of the inspector is a URL: what stands behind '#' is the path of a page and a query.
// It never reaches a server, so that no log of a proxy has the names of users in it.

/** The state that the address bar names: {path, parts, query}. */
export function place(hash = location.hash) {
  const text = hash.replace(/^#/, '') || '/';
  const at = text.indexOf('?');
  const path = at < 0 ? text : text.slice(0, at);
  const query = Object.fromEntries(new URLSearchParams(at < 0 ? '' : text.slice(at + 1)));
  return { path, parts: path.split('/').filter(Boolean).map(decoded), query };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The link of a page. Parts are names and are encoded; empty values of the query are left out. The
 * project that is looked at stays, unless the query names another one.
 */
export function href(parts, query = {}) {
  const kept = place().query.scope;
  const all = { ...(kept ? { scope: kept } : {}), ...query };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given).toString();
  return '#/' + parts.map(encodeURIComponent).join('/') + (search ? '?' + search : '');
}

/** Goes to a page. With 'replace' the state before is not kept in the history: for filters. */
export function go(link, { replace = false } = {}) {
  if (link === location.hash) return;
  if (replace) {
    history.replaceState(null, '', link);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = link.slice(1);
  }
}

/** Changes members of the query of the page that is shown. */
export function refine(changes, { replace = true } = {}) {
  const now = place();
  go(href(now.parts, { ...now.query, ...changes }), { replace });
}

/** The page of a list whose pattern fits, with its parameters: [page, params], or null. */
export function match(pages, parts) {
  for (const page of pages) {
    const wanted = page.path.split('/').filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params = {};
    const fits = wanted.every((name, i) => {
      if (!name.startsWith(':')) return name === parts[i];
      params[name.slice(1)] = parts[i];
      return true;
    });
    if (fits) return [page, params];
  }
  return null;
}
