// The pages of the inspector, in the order of the navigation. 'path' is what stands behind '#',
// with ':' before names; 'load' imports the module of the page when it is first shown; 'nav' is its
// place in the navigation, if it has one, and 'key' what goes there behind 'g'.
export const PAGES = [
  { path: '/', nav: 'Conversations', key: 'c', load: () => import('./start.js') },
  { path: '/users/:user/conversations/:conversation', section: '', load: () => import('./conversation.js') },
  { path: '/users/:user/conversations/:conversation/requests', section: '', load: () => together(import('./requests.js'), import('./conversation.js')) },
  { path: '/users/:user/conversations/:conversation/requests/:request', section: '', load: () => together(import('./request.js'), import('./requests.js'), import('./conversation.js'), import('./why.js')) },
  { path: '/agents', nav: 'Memory', key: 'm', load: () => import('./memory.js') },
  { path: '/agents/:agent', load: () => import('./memory.js') },
  { path: '/agents/:agent/blocks/:label', load: () => together(import('./block.js'), import('./memory.js'), import('./editor.js'), import('./diff.js')) },
  { path: '/search', nav: 'Search', key: 's', load: () => together(import('./search.js'), import('./memory.js')) },
  { path: '/events', nav: 'Events', key: 'e', load: () => import('./events.js') },
  { path: '/health', nav: 'Health', key: 'h', load: () => import('./health.js') },
];

/** A module with what it imports: asked for at the same time. */
function together(...modules) {
  return Promise.all(modules).then(([first]) => first);
}
