// The pages of the inspector, in the order of the navigation. 'path' is what stands behind '#',
// with ':' before names; 'load' imports the module of the page when it is first shown; 'nav' is its
// place in the navigation, if it has one, and 'key' what goes there behind 'g'.
export const PAGES = [
  { path: '/', nav: 'Conversations', key: 'c', load: () => import('./start.js') },
  { path: '/users/:user/conversations/:conversation', section: '', load: () => import('./conversation.js') },
  { path: '/users/:user/conversations/:conversation/requests', section: '', load: () => import('./requests.js') },
  { path: '/users/:user/conversations/:conversation/requests/:request', section: '', load: () => import('./request.js') },
  { path: '/agents', nav: 'Memory', key: 'm', load: () => import('./memory.js') },
  { path: '/agents/:agent', load: () => import('./memory.js') },
  { path: '/agents/:agent/blocks/:label', load: () => import('./block.js') },
  { path: '/search', nav: 'Search', key: 's', load: () => import('./search.js') },
  { path: '/events', nav: 'Events', key: 'e', load: () => import('./events.js') },
  { path: '/health', nav: 'Health', key: 'h', load: () => import('./health.js') },
];
