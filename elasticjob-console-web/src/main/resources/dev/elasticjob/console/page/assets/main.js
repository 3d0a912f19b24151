// The page: follows its address, keeps the answers that the present screen needs, and draws it.
import {html, nothing, render} from './lit-html.js';
import {get, Problem, watch} from './api.js';
import * as attention from './attention.js';
import * as bulk from './bulk.js';
import * as commands from './commands.js';
import * as freshness from './freshness.js';
import {closePanel, keepingFocus} from './forms.js';
import * as jobs from './jobs.js';
import {know} from './logs.js';
import {failed, loading} from './parts.js';
import {href, parse} from './route.js';
import * as settings from './settings.js';
import {choose, language, load, t} from './texts.js';

// What most readers begin with is there. The other screens are fetched when somebody first looks at them.
const SCREENS = {attention, jobs};
const LATER = {
  job: () => import('./job.js'), servers: () => import('./servers.js'), groups: () => import('./groups.js'), apps: () => import('./apps.js'),
  history: () => import('./history.js'), operations: () => import('./operations.js'), registries: () => import('./registries.js'),
};
const OVERVIEWS = ['attention', 'jobs', 'servers', 'groups', 'apps', 'history', 'operations'];
// Lists that stay on the screen until the next filter is answered.
const LISTS = ['jobs', 'last', 'latest', 'executions', 'operations'];
const TYPING = 300;
const NEWS = 5_000;
const THEME = 'elasticjob.theme';

let route = parse(location.search);
let session = null;
let sessionProblem = null;
let answers = {};
let watches = new Map();
let typing = 0;
let shownRegistry = '';
let said = {text: '', at: -NEWS};
// What comes into view as soon as it is drawn.
let awaited = '';

// ------------------------------------------------------------------ where the reader is

function current() {
  const all = session?.registries ?? [];
  return {...route, registries: all, registry: route.registry || (all.length === 1 ? all[0].name : '')};
}

// An address that leaves open which of several registries it means shows how all of them are.
function isOfAll() {
  return session?.registries.length > 1 && !route.registry;
}

function screen() {
  const name = isOfAll() ? 'registries' : route.view;
  return (SCREENS[name] ??= fetched(name));
}

// Stands for a screen until it is there. A browser doesn't fetch again what it could not get.
function fetched(name) {
  const title = () => (name === 'job' ? route.job : t(name));
  const head = () => html`<header class="head"><h1 tabindex="-1">${title()}</h1></header>`;
  LATER[name]().then(
    (module) => {
      SCREENS[name] = module;
      follow();
    },
    () => {
      SCREENS[name] = {...SCREENS[name], view: () => html`${head()}<section class="empty"><h2 role="alert">${t('problem.OUTDATED')}</h2>
        <button type="button" class="button" @click=${() => location.reload()}>${t('reload')}</button></section>`};
      draw();
    },
  );
  return {sources: () => [], title, view: () => html`${head()}${loading()}`};
}

function registryOf(at) {
  return session?.registries.find((one) => one.name === at.registry);
}

// What people call the registry that they look at.
function place() {
  const registry = registryOf(current());
  if (!registry) return '';
  return session.registries.length > 1 ? `${registry.name} · ${registry.namespace}` : registry.namespace;
}

function go(next, whileTyping = false) {
  const from = route;
  if (from.job !== next.job || from.tab !== next.tab) settings.forget();
  commands.forget();
  route = next;
  awaited = partOf(from, next);
  history[whileTyping ? 'replaceState' : 'pushState'](null, '', href(next));
  clearTimeout(typing);
  if (whileTyping) {
    typing = setTimeout(follow, TYPING);
    // What is clicked before the pause is over must know what was typed.
    draw();
    return;
  }
  follow();
  if (isElsewhere(from, next)) focusHeading();
}

// Who goes through the registries in their chooser goes on there.
function isElsewhere(from, next) {
  if (from.registry !== next.registry && document.activeElement?.name === 'registry') return false;
  const parts = ['view', 'job', 'tab', 'server', 'group', 'app'];
  if (session?.registries.length > 1) parts.push('registry');
  return parts.some((part) => from[part] !== next[part]);
}

// On a narrow screen an item stands below the map; a firing stands above the grid that it was chosen in.
function partOf(from, next) {
  if (next.item && next.item !== from.item) return '.panel';
  return next.firing && next.firing !== from.firing ? '.panel.firing' : '';
}

// At once: later, the reader may be somewhere else. Where a screen has to be fetched, what stands for it has a heading,
// from which the focus goes over to that of the screen.
function focusHeading() {
  awaited = '';
  scrollTo(0, 0);
  document.querySelector('h1')?.focus({preventScroll: true});
}

function act(command) {
  if (!command) return draw();
  if (command.bulk) return bulk.askOf({...command, registry: current().registry}, session, draw);
  commands.ask({...command, registry: current().registry, job: command.job ?? route.job}, session, draw);
}

// Whether the user may carry out a command, by its kind and its job.
act.may = (command) => commands.permits(session, registryOf(current()), {job: route.job, ...command});

function follow() {
  if (!session) return;
  const at = current();
  // Pictures and chosen jobs of one registry must not stand under the name of another, also after going back.
  if (at.registry !== shownRegistry) {
    answers = {};
    bulk.forget();
  }
  shownRegistry = at.registry;
  const wanted = new Map(screen().sources(at, answers).map((source) => [source.path, source]));
  for (const [path, {stop, key}] of watches) {
    if (wanted.has(path)) continue;
    stop();
    watches.delete(path);
    if (![...wanted.values()].some((source) => source.key === key && LISTS.includes(key))) delete answers[key];
  }
  for (const [path, {key, pause, wait, late}] of wanted) {
    if (watches.has(path)) continue;
    const stop = watch(path, {pause, wait}, (answer) => take(key, {late, ...answer}));
    watches.set(path, {stop, key});
  }
  draw();
}

// What was read before stays on the screen when a later read fails; its age is shown.
function take(key, answer) {
  const before = answers[key] ?? {};
  answers[key] = answer.problem ? {...before, ...answer} : {...before, problem: null, ...answer};
  // What else is asked may depend on the jobs of the page.
  if (key === 'jobs') follow();
  else draw();
}

// ------------------------------------------------------------------ the frame

// What is asked for the present screen, answered or not.
function asked() {
  return [...new Set([...watches.values()].map(({key}) => key))].map((key) => answers[key]);
}

function chooser(name, label, values, chosen, onChange) {
  return html`<label class="chooser"><span class="hidden">${label}</span>
    <select name=${name} @change=${(event) => onChange(event.target.value)}>
      ${values.map(([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`)}
    </select></label>`;
}

function registryChooser() {
  const at = current();
  const values = session.registries.map((one) => [one.name, `${one.name} · ${one.namespace}`]);
  if (at.registry && !registryOf(at)) values.unshift([at.registry, at.registry]);
  values.unshift(['', t('registries')]);
  return chooser('registry', t('registry'), values, at.registry, (name) => go(parse(href({registry: name, view: route.view === 'job' ? 'jobs' : route.view}))));
}

function frame(content) {
  const registry = registryOf(current());
  return html`
    <a class="skip" href="#main">${t('skip')}</a>
    <header class="top">
      <a class="brand" href=${href({registry: session?.registries.length > 1 ? '' : route.registry})}><span class="mark" aria-hidden="true"><i></i><i></i><i></i><i></i></span>ElasticJob</a>
      ${session?.registries.length > 1 ? registryChooser() : registry ? html`<span class="namespace" title=${t('namespace')}>${place()}</span>` : nothing}
      ${registry?.mode === 'READ_ONLY' ? html`<span class="badge">${t('registry.readOnly')}</span>` : nothing}
      ${session && !isOfAll() ? html`<nav class="screens" aria-label=${t('screens')}>${OVERVIEWS.map((view) => html`<a
        href=${href({view, registry: route.registry})} aria-current=${route.view === view ? 'page' : nothing}>${t(view)}</a>`)}</nav>` : nothing}
      <span class="space"></span>
      ${freshness.ofAll(asked())}
      ${session && !session.user ? html`<span class="badge warn">${t('unsecured')}</span>` : nothing}
      ${session?.user ? html`<span class="user">${session.user}</span>` : nothing}
      ${session?.user && session.signOut ? html`<a class="sign-out" href=${session.signOut}>${t('signOut')}</a>` : nothing}
      ${chooser('language', t('language'), [['en', 'English'], ['zh', '中文']], language, speak)}
      ${chooser('theme', t('theme'), ['auto', 'light', 'dark'].map((one) => [one, t('theme.' + one)]), theme(), paint)}
    </header>
    <main id="main">${freshness.banner(Object.values(answers).filter(isOfPage))}${route.view === 'jobs' && may('OPERATOR') ? bulk.bar(current(), answers.jobs?.data, session, draw) : nothing}${commands.notices(session, draw)}${content}</main>
    ${commands.dialog(session, place(), draw)}${bulk.dialog(session, place(), draw)}
    <div class="hidden" role="status">${said.text}</div>`;
}

// One of all registries that doesn't answer is said at its row.
function isOfPage({problem}) {
  return !isOfAll() || !problem || problem.status < 500;
}

function content() {
  if (sessionProblem) return failed(sessionProblem);
  if (!session) return loading();
  return screen().view(current(), answers, go, may('OPERATOR') ? act : null, may('ADMIN') ? act : null, draw);
}

// With the job of the page, or with some of its jobs.
function may(level) {
  const registry = registryOf(current());
  return route.view === 'job' ? commands.may(session, registry, level, route.job) : commands.maySome(session, registry, level);
}

function draw() {
  say();
  document.title = `${screen().title(route)} · ElasticJob`;
  keepingFocus(() => render(frame(content()), document.getElementById('console')));
  const part = awaited && document.querySelector(awaited);
  if (!part) return;
  awaited = '';
  part.scrollIntoView({block: 'nearest'});
}

function say() {
  const text = screen().news?.(answers, current()) ?? '';
  if (text !== said.text && performance.now() - said.at > NEWS) said = {text, at: performance.now()};
}

// ------------------------------------------------------------------ what the reader prefers

function theme() {
  return localStorage.getItem(THEME) ?? 'auto';
}

function paint(name) {
  localStorage.setItem(THEME, name);
  document.documentElement.dataset.theme = name;
  draw();
}

async function speak(name) {
  // Without its texts, everything stays as it is; that the application doesn't answer is said by then.
  await choose(name).catch(() => {});
  document.documentElement.lang = name === 'zh' ? 'zh-CN' : 'en';
  draw();
}

// ------------------------------------------------------------------ start

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog') || event.target.value) return;
  if (closePanel()) event.preventDefault();
});
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(parse(link.search));
});
addEventListener('popstate', () => {
  awaited = '';
  route = parse(location.search);
  follow();
});
document.documentElement.dataset.theme = theme();
document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
start();

async function start() {
  await load();
  setInterval(draw, 1_000);
  draw();
  try {
    session = await get('session');
    know(session.registries);
  } catch (error) {
    sessionProblem = error instanceof Problem ? error : new Problem(0, 'FAILED', String(error));
  }
  follow();
  draw();
}
