// The servers of all jobs, and one of them with what it runs: may it be rebooted?
import {html, nothing} from './lit-html.js';
import {button} from './commands.js';
import {full, moment, number, relative} from './format.js';
import {asOf, lateClass} from './freshness.js';
import {BARS, breakable, failed, loading} from './parts.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

const PAUSE = 2_000;
const MOST_ITEMS = 12;

// The more jobs there are, the less often they are read.
function late({everySeconds}) {
  return 1.5 * (everySeconds * 1000 + PAUSE);
}

export function sources(route) {
  const path = `registries/${segment(route.registry)}/servers`;
  return [route.server ? {key: 'server', path: `${path}/${segment(route.server)}`, pause: PAUSE, late} : {key: 'servers', path, pause: PAUSE, late}];
}

export function title(route) {
  return route.server || t('servers');
}

// What a screen reader says when something has changed.
export function news(answers) {
  const all = answers.server?.data ? [answers.server.data.server] : answers.servers?.data?.servers ?? [];
  return all.flatMap((one) => one.instances.map((instance) => `${one.server}: ${stateOf(instance)[2]}`)).join('; ');
}

export function view(route, answers, go, act) {
  return route.server ? whole(route, answers.server ?? {}, act) : overview(route, answers.servers ?? {}, act);
}

function overview(route, answer, act) {
  const {data, problem} = answer;
  return html`<header class="head"><h1 tabindex="-1">${t('servers')}</h1>
      ${data ? html`<p class="quiet">${count('servers.count', data.servers.length)}</p>${asOf(answer)}` : nothing}</header>
    ${data ? html`<div class="part ${lateClass(answer)}">${table(route, data, act)}</div>` : problem ? failed(problem) : loading()}`;
}

function table(route, data, act) {
  if (data.servers.length === 0) return html`<section class="empty"><h2>${t('servers.none')}</h2></section>`;
  return html`<p class="quiet">${t('servers.age', {n: data.everySeconds})}</p><div class="card"><table class="jobs servers">
    <thead><tr><th scope="col">${t('server')}</th><th scope="col">${t('instances')}</th>
      <th scope="col" class="number">${t('servers.owns')}</th><th scope="col" class="number">${t('servers.runs')}</th><th scope="col">${t('jobs')}</th></tr></thead>
    <tbody>${data.servers.map((one) => html`<tr><th scope="row"><a class="name" href=${toServer(route, one)}>${breakable(one.server)}</a>${disabled(one)}</th>
      <td data-label=${t('instances')}>${one.instances.length ? one.instances.map((instance) => html`<div class="instance"><span class="name">${breakable(instance.id)}</span> ${state(instance)}
        ${buttons(instance, act)}</div>`) : gone()}</td>
      <td data-label=${t('servers.owns')} class="number">${sum(one, 'items')}</td><td data-label=${t('servers.runs')} class="number">${sum(one, 'running')}</td>
      <td data-label=${t('jobs')}><a href=${toServer(route, one)}>${count('jobs.count', one.jobs)}</a>${one.deadJobs && one.instances.length ? html`<p class="quiet small">${count('servers.deadJobs', one.deadJobs)}</p>` : nothing}</td></tr>`)}</tbody></table></div>`;
}

function toServer(route, {server}) {
  return href({view: 'servers', registry: route.registry, server});
}

function sum({instances}, name) {
  return instances.reduce((all, one) => all + one[name], 0);
}

// ------------------------------------------------------------------ what an instance does, in one word

export function stateOf({state: is, running, items, jobs, drainedJobs, takenOutOf, unrecordedJobs, emptySince}) {
  // For how many jobs the server is disabled is said of the server.
  const word = is === 'PARTLY_TAKEN_OUT' && !drainedJobs ? 'TAKES_PART' : is;
  switch (word) {
    case 'TAKES_PART': return running ? ['busy', '▶', count('instance.runs', running)] : ['good', '●', count('instance.owns', items)];
    case 'PARTLY_TAKEN_OUT': return ['warn', BARS, t('instance.partly', {n: takenOutOf, of: jobs})];
    case 'LEAVING': return ['warn', '◷', running ? count('instance.stillRuns', running) : count('instance.stillOwns', items)];
    case 'EMPTY': return ['good', '✓', emptySince ? t('instance.emptySince', {time: moment(emptySince)}) : t('instance.empty')];
    default: return ['unknown', '?', count('instance.unrecorded', unrecordedJobs)];
  }
}

function state(one) {
  const [tone, glyph, text] = stateOf(one);
  const still = one.state === 'PARTLY_TAKEN_OUT' && one.drainedJobs && one.running ? html` <span class="quiet small">${count('instance.runs', one.running)}</span>` : nothing;
  return html`<span class="chip ${tone}"><span class="glyph" aria-hidden="true">${glyph}</span>${text}</span>${still}${room(one)} ${drained(one.drainedBy)}`;
}

// How full it is, if it has a limit.
function room({used, capacity}) {
  return capacity ? html` <span class="badge ${used >= capacity ? 'warn' : ''}">${t('instance.used', {used: number(used), capacity: number(capacity)})}</span>` : nothing;
}

function drained(by) {
  if (!by) return nothing;
  return html`<span class="quiet small">${t('instance.drainedBy', {actor: by.actor || t('unknown')})}
    <span title=${full(by.since)}>${relative(by.since)}</span>${by.reason ? html` – ${by.reason}` : nothing}</span>`;
}

function gone() {
  return html`<span class="chip idle"><span class="glyph" aria-hidden="true">–</span>${t('servers.gone')}</span>`;
}

function disabled({disabledJobs, jobs}) {
  return disabledJobs ? html`<p class="badges"><span class="badge warn">${t('servers.disabledFor', {n: disabledJobs, of: jobs})}</span></p>` : nothing;
}

// What is left for an operator: what is drained already isn't drained again.
function buttons({id, jobs, drainedJobs, takenOutOf}, act) {
  if (!act) return nothing;
  const kinds = [drainedJobs < jobs && takenOutOf < jobs && 'drainAll', drainedJobs && 'undrainAll'].filter((kind) => kind && act.may({kind}));
  return kinds.length ? html`<span class="badges">${kinds.map((kind) => button(act, {kind, instance: id}, 'link'))}</span>` : nothing;
}

// ------------------------------------------------------------------ one server

function whole(route, answer, act) {
  const {data, problem} = answer;
  const gone404 = problem?.status === 404;
  return html`<nav class="crumbs" aria-label=${t('crumbs')}><a href=${href({view: 'servers', registry: route.registry})}>${t('servers')}</a></nav>
    <header class="head"><h1 tabindex="-1">${route.server}</h1>${data && !gone404 ? html`${asOf(answer)}${act ? html`<span class="actions">${ofAllJobs(route, data, act)}</span>` : nothing}` : nothing}</header>
    ${data && !gone404 ? html`<div class="part ${lateClass(answer)}">${disabled(data.server)}${sections(route, data, act)}</div>` : problem ? failed(problem) : loading()}`;
}

// The server is disabled job by job, ten at a time.
function ofAllJobs(route, {jobs}, act) {
  return [['disable-server', false], ['enable-server', true]].map(([command, now]) => {
    const concerned = jobs.filter((one) => one.disabled === now).map((one) => one.job).filter((job) => act.may({kind: 'disableServer', job}));
    return concerned.length ? html`<button type="button" class="button" data-key=${command} @click=${() => act({bulk: command, jobs: concerned, server: route.server})}>${
      t(`servers.${command}`, {n: concerned.length})}</button>` : nothing;
  });
}

function sections(route, {server, parts, jobs}, act) {
  const of = new Map(parts.map((one) => [one.instance, one.parts]));
  const dead = jobs.filter((one) => one.dead);
  return html`${server.instances.length ? nothing : html`<p>${gone()}</p>`}
    ${server.instances.map((instance) => html`<section aria-label=${instance.id}><h2 class="section">${breakable(instance.id)}</h2>
      <p class="instance">${state(instance)} ${buttons(instance, act)}</p>
      <div class="card"><table class="jobs parts"><thead><tr><th scope="col">${t('job')}</th><th scope="col">${t('servers.owns')}</th><th scope="col">${t('servers.runs')}</th><th scope="col">${t('jobs.state')}</th></tr></thead>
        <tbody>${busyFirst(of.get(instance.id) ?? []).map((part) => row(route, part, instance.drainedBy))}</tbody></table></div></section>`)}
    ${dead.length ? html`<section aria-label=${t('servers.dead')}><h2 class="section">${t('servers.dead')}</h2><div class="card"><table class="jobs parts"><tbody>
      ${dead.map((one) => html`<tr><th scope="row">${toJob(route, one.job)}</th><td data-label=${t('jobs.state')}>${one.disabled ? html`<span class="badge warn">${t('servers.disabled')}</span>` : '–'}</td></tr>`)}</tbody></table></div></section>` : nothing}`;
}

// What a reboot waits for is on top.
function busyFirst(parts) {
  return [...parts].sort((one, other) => other.running.length - one.running.length || other.items.length - one.items.length);
}

function toJob(route, job, item = '') {
  return html`<a class=${item === '' ? 'name' : nothing} href=${href({registry: route.registry, job, item})}>${item === '' ? breakable(job) : item}</a>`;
}

function items(route, job, all) {
  if (!all.length) return '–';
  return html`${all.slice(0, MOST_ITEMS).map((item, place) => html`${place ? ', ' : nothing}${toJob(route, job, String(item))}`)}${all.length > MOST_ITEMS ? ` … (${all.length})` : nothing}`;
}

function row(route, part, ofAll) {
  const marks = [part.drainedBy ? 'DRAINED' : part.draining ? 'STOPPING' : '', part.disabled ? 'DISABLED' : '', part.matches ? '' : 'UNMATCHED', part.alone && !part.draining && !part.disabled ? 'ALONE' : '', part.recorded ? '' : 'UNRECORDED'].filter(Boolean);
  return html`<tr><th scope="row">${toJob(route, part.job)}</th>
    <td data-label=${t('servers.owns')}>${items(route, part.job, part.items)}</td>
    <td data-label=${t('servers.runs')}>${items(route, part.job, part.running)}</td>
    <td data-label=${t('jobs.state')}>${marks.length ? html`<span class="badges">${marks.map((one) => html`<span class="badge ${['ALONE', 'UNRECORDED', 'UNMATCHED'].includes(one) ? '' : 'warn'}" title=${t(`part.${one}.why`)}>${t('part.' + one)}</span>`)}</span> ${part.drainedBy?.actor === ofAll?.actor && part.drainedBy?.reason === ofAll?.reason ? nothing : drained(part.drainedBy)}` : '–'}</td></tr>`;
}
