// The pages of the inspector, in the order of the navigation. 'path' is what stands behind '#',
// with ':' before names; 'load' imports the module of the page when it is first shown; 'nav' is its
// place in the navigation, if it has one, and 'key' what goes there behind 'g'.
export const PAGES = [
  { path: '/', nav: 'Conversations', key: 'c', load: () => import('./start.js') },
  { path: '/users/:user/conversations/:conversation', section: '', load: () => import('./conversation.js') },
  { path: '/users/:user/conversations/:conversation/requests', section: '', load: () => import('./requests.js') },
  { path: '/users/:user/conversations/:conversation/requests/:request', section: '', load: () => import('./request.js') },
];
