// What the page shows is in its query string: a link shows the same to everybody, and survives a login.
const NAMES = ['view', 'registry', 'job', 'tab', 'item', 'search', 'state', 'sort', 'after', 'before',
  'without', 'more', 'total', 'strategy', 'runOn', 'of', 'actor', 'refused', 'outcome', 'from', 'until', 'execution', 'run', 'server', 'group', 'app', 'firing'];
// Screens beside the list of jobs and the job.
const OVERVIEWS = ['attention', 'jobs', 'servers', 'groups', 'apps', 'history', 'operations'];

// Filters of the list of jobs: an address that has one means that list.
const LISTED = ['search', 'state', 'sort', 'after'];

export function parse(query) {
  const given = new URLSearchParams(query);
  const route = {};
  for (const name of NAMES) route[name] = given.get(name) ?? '';
  if (route.job) route.view = 'job';
  else if (!OVERVIEWS.includes(route.view)) route.view = LISTED.some((name) => route[name]) ? 'jobs' : 'attention';
  return route;
}

export function href(route) {
  const query = new URLSearchParams();
  for (const name of NAMES) if (route[name] && (name !== 'view' || OVERVIEWS.includes(route.view) && !route.job)) query.set(name, route[name]);
  return '?' + query.toString();
}

// A name as part of a path: plain, or as a tilde and base64url. PathName.java has the same rule.
export function segment(name) {
  if (/^[A-Za-z0-9._-]+$/.test(name) && !/^\.+$/.test(name)) return name;
  let text = '';
  for (const byte of new TextEncoder().encode(name)) text += String.fromCharCode(byte);
  return '~' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
