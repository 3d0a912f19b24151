// Asks the API. Addresses are relative, so the console works under any path.
const API = 'api/v1/';
const LONGEST_PAUSE = 5_000;

export class Problem extends Error {
  constructor(status, code, detail, {violations = [], theirs = null} = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.violations = violations;
    this.theirs = theirs;
  }
}

async function problemOf(response) {
  const type = response.headers.get('content-type') ?? '';
  // The application's own answer has no code.
  const unknown = response.status === 401 ? 'NOT_AUTHENTICATED' : 'FAILED';
  if (type.includes('json')) {
    const body = await response.json().catch(() => ({}));
    return new Problem(response.status, body.code ?? unknown, body.detail ?? '', {violations: body.violations ?? [], theirs: body.theirs ?? null});
  }
  return new Problem(response.status, unknown, '');
}

async function request(path, given, signal, method = 'GET', body = undefined) {
  // With this, Spring Security answers 401 after the session has expired. Without it, it may ask for a password by HTTP
  // Basic, for which the browser opens a window of its own, and it would lead back to this address after the login.
  const headers = {...given, 'X-Requested-With': 'XMLHttpRequest'};
  let response;
  try {
    response = await fetch(API + path, {method, body, headers, signal, redirect: 'manual', cache: 'no-store'});
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, 'OFFLINE', '');
  }
  // The application's own login: a redirect, or a page where JSON was expected.
  if (response.type === 'opaqueredirect') throw new Problem(401, 'NOT_AUTHENTICATED', '');
  if (response.status !== 304 && !response.ok) throw await problemOf(response);
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && !type.includes('json')) throw new Problem(401, 'NOT_AUTHENTICATED', '');
  return response;
}

export async function get(path) {
  return (await request(path, {})).json();
}

// Those who ask again and again. What they know is of yesterday as soon as a command has been sent.
const watching = new Set();

// Asks for everything on the page at once, instead of at its time.
export function retry() {
  watching.forEach((again) => again());
}

// Carries out a command. Nothing of another site can send these headers.
export async function send([method, path, body, version], csrf) {
  const headers = {'Content-Type': 'application/json', 'X-ElasticJob': '1'};
  if (version) headers['If-Match'] = `"${version}"`;
  if (csrf) headers[csrf.header] = csrf.token;
  try {
    return await (await request(path, headers, undefined, method, JSON.stringify(body))).json();
  } finally {
    if (!path.endsWith('dryRun=true')) watching.forEach((again) => again());
  }
}

// Asks again and again while the page is visible. The server answers when there is something new, or after the wait.
export function watch(path, {pause, wait = 0}, onAnswer) {
  let tag = '';
  let failures = 0;
  let timer = 0;
  let aborting = null;
  let ended = false;

  async function ask() {
    if (document.hidden || ended || aborting) return;
    const mine = new AbortController();
    aborting = mine;
    try {
      const headers = tag ? {'If-None-Match': tag, Prefer: `wait=${wait}`} : {};
      const response = await request(path, headers, mine.signal);
      const answer = {
        age: Number(response.headers.get('age') ?? 0) * 1000,
        readAt: response.headers.get('elasticjob-read-at'),
        receivedAt: performance.now(),
      };
      if (response.status !== 304) answer.data = await response.json();
      if (aborting !== mine) return;
      // One that broke off isn't known: the server would answer "as you know it" from then on.
      if (answer.data) tag = response.headers.get('etag') ?? '';
      failures = 0;
      if (!ended) onAnswer(answer);
    } catch (error) {
      if (aborting !== mine || error.name === 'AbortError') return;
      failures++;
      const problem = error instanceof Problem ? error : new Problem(0, 'FAILED', String(error));
      problem.again = performance.now() + rest();
      if (!ended) onAnswer({problem});
    } finally {
      if (aborting === mine) aborting = null;
      if (!ended && !aborting) timer = setTimeout(ask, rest());
    }
  }

  function rest() {
    return failures ? Math.min(LONGEST_PAUSE, pause * 2 ** failures) : pause;
  }

  // An answer that is under way may be from before.
  function again() {
    clearTimeout(timer);
    aborting?.abort();
    aborting = null;
    ask();
  }

  function visible() {
    clearTimeout(timer);
    if (document.hidden) {
      aborting?.abort();
    } else {
      timer = setTimeout(ask, 0);
    }
  }

  document.addEventListener('visibilitychange', visible);
  watching.add(again);
  ask();
  return () => {
    ended = true;
    watching.delete(again);
    clearTimeout(timer);
    aborting?.abort();
    document.removeEventListener('visibilitychange', visible);
  };
}
