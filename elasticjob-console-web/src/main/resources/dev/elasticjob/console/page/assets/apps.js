// The applications of Kubernetes, and one of them: what waits, who works on it, and why a worker doesn't come.
import {html, nothing} from './lit-html.js';
import {button} from './commands.js';
import {full, number, relative} from './format.js';
import {asOf, lateClass} from './freshness.js';
import {breakable, fact, failed, loading, sign, when} from './parts.js';
import {href, segment} from './route.js';
import {count, has, t} from './texts.js';

const PAUSE = 2_000;
const PAUSE_OF_ONE = 1_000;
// The state of an application, and the one that it looks like.
const LOOKS = {NOT_ATTENDED: 'UNKNOWN', NOT_READY: 'BLOCKED', SUSPENDED: 'PAUSED', BLOCKED: 'BLOCKED', INTRODUCING: 'WAITS', STARTING: 'WAITS', RUNNING: 'RUNNING', IDLE: 'HEALTHY'};
const PHASES = {FAILED: 'FAILED', PENDING: 'WAITS', RUNNING: 'RUNNING'};

export function sources(route) {
  const path = `registries/${segment(route.registry)}/apps`;
  return [route.app ? {key: 'app', path: `${path}/${segment(route.app)}`, pause: PAUSE_OF_ONE} : {key: 'apps', path, pause: PAUSE}];
}

export function title(route) {
  return route.app || t('apps');
}

// What a screen reader says when something has changed.
export function news(answers) {
  const all = answers.app?.data ? [answers.app.data.app] : answers.apps?.data?.apps ?? [];
  return all.map((one) => `${one.name}: ${words(one)}`).join('; ');
}

export function view(route, answers, go, act) {
  return route.app ? whole(route, answers.app ?? {}, act) : overview(route, answers.apps ?? {});
}

function overview(route, answer) {
  const {data, problem} = answer;
  return html`<header class="head"><h1 tabindex="-1">${t('apps')}</h1>
      ${data ? html`<p class="quiet">${count('apps.count', data.apps.length)}</p>${asOf(answer)}` : nothing}</header>
    ${data ? html`<div class="part ${lateClass(answer)}">${table(route, data)}</div>` : problem ? failed(problem) : loading()}`;
}

function table(route, {apps}) {
  if (apps.length === 0) return html`<section class="empty"><h2>${t('apps.none')}</h2><p class="quiet">${t('apps.none.why')}</p></section>`;
  return html`<div class="card"><table class="jobs apps">
    <thead><tr><th scope="col">${t('app')}</th><th scope="col">${t('jobs.state')}</th><th scope="col" class="number">${t('app.open')}</th>
      <th scope="col" class="number">${t('app.running')}</th><th scope="col" class="number">${t('app.workers')}</th><th scope="col">${t('app.next')}</th></tr></thead>
    <tbody>${apps.map((one) => html`<tr><th scope="row"><a class="name" href=${href({view: 'apps', registry: route.registry, app: one.id})}>${breakable(one.name)}</a><p class="quiet small">${breakable(one.namespace)}</p></th>
      <td data-label=${t('jobs.state')}>${state(one)}</td><td data-label=${t('app.open')} class="number">${number(one.open)}</td>
      <td data-label=${t('app.running')} class="number">${number(one.running)}</td><td data-label=${t('app.workers')} class="number">${t('app.of', {n: number(one.registered), of: number(one.need)})}</td>
      <td data-label=${t('app.next')}>${when(one.nextFiring, '–')}</td></tr>`)}</tbody></table></div>`;
}

function words(one) {
  const key = `app.${one.state}`;
  return t(key, {reason: has('app.reason.' + one.reason) ? t('app.reason.' + one.reason) : one.reason});
}

function state(one) {
  return html`${sign(LOOKS[one.state] ?? 'UNKNOWN', words(one))}${one.failed ? html` <span class="badge warn">${count('app.failed', one.failed)}</span>` : nothing}`;
}

// ------------------------------------------------------------------ one application

function whole(route, answer, act) {
  const {data, problem} = answer;
  const there = data && problem?.status !== 404;
  return html`<nav class="crumbs" aria-label=${t('crumbs')}><a href=${href({view: 'apps', registry: route.registry})}>${t('apps')}</a></nav>
    <header class="head"><h1 tabindex="-1">${there ? data.app.name : route.app}</h1>${there ? html`${state(data.app)}${asOf(answer)}${act ? actions(data.app, act) : nothing}` : nothing}</header>
    ${there ? html`<div class="part ${lateClass(answer)}">${facts(data.app)}${data.conditions.map(condition)}${data.pools.map((one) => pool(route, one))}</div>` : problem ? failed(problem) : loading()}`;
}

function actions(app, act) {
  const kinds = [app.suspension ? 'resumeApp' : 'suspendApp', !app.attended && 'forgetApp'].filter(Boolean);
  return html`<span class="actions">${kinds.map((kind) => button(act, {kind, app: app.id}))}</span>`;
}

function facts({namespace, attended, published, suspend, suspension, need, registered, nextFiring}) {
  return html`<dl class="facts">${fact(t('app.namespace'), breakable(namespace))}${fact(t('app.workers'), t('app.of', {n: number(registered), of: number(need)}))}
      ${fact(t('app.next'), when(nextFiring, t('app.next.none')))}${fact(t(attended ? 'app.changed' : 'app.asOf'), when(published))}
      ${suspension ? fact(t('app.suspended'), suspended(suspension)) : nothing}${suspend ? fact(t('app.suspended'), t('app.suspended.resource')) : nothing}</dl>
    ${attended ? nothing : html`<section class="card finding"><p>${sign('UNKNOWN', t('app.NOT_ATTENDED'))} ${t('app.NOT_ATTENDED.why')}</p></section>`}`;
}

function suspended({actor, reason, since}) {
  return html`${t('app.suspended.by', {actor: actor || t('unknown')})} <span class="quiet" title=${full(since)}>${relative(since)}</span>${reason ? html` – ${reason}` : nothing}`;
}

// What is as it should be needs no words. That it doesn't go to zero is something to know.
function condition({type, holds, reason, message, since}) {
  const bad = type === 'WorkersBlocked' ? holds : !holds;
  if (!bad && !message) return nothing;
  const look = !bad ? 'PROBLEM' : type === 'ScalesToZero' ? 'WAITS' : ['Introducing', 'Suspended'].includes(reason) ? 'WAITS' : 'BLOCKED';
  const key = 'app.reason.' + reason;
  return html`<section class="card finding"><p>${sign(look, has(key) ? t(key) : reason)} <span class="quiet small">${t('condition.since')} ${when(since, t('unknown'))}</span></p>
    ${message ? said(message) : nothing}</section>`;
}

// One sentence, or what a program has written.
function said(text) {
  return text.includes('\n') ? html`<pre class="failure" lang="en">${text}</pre>` : html`<p class="small" lang="en">${text}</p>`;
}

function pool(route, one) {
  return html`<section aria-label=${one.name}><h2 class="section">${t('app.pool', {name: one.name})}</h2>
    <dl class="facts">${fact(t('app.open'), number(one.open))}${fact(t('app.running'), number(one.running))}${fact(t('app.workers'), t('app.of', {n: number(one.registered), of: number(one.need)}))}
      ${one.maxWorkers ? html`${fact(t('app.size'), t('app.size.of', {least: number(one.baseWorkers), most: number(one.maxWorkers)}))}${fact(t('app.capacity'), number(one.capacity))}` : nothing}
      ${fact(t('app.next'), when(one.nextFiring, t('app.next.none')))}</dl>
    ${jobs(route, one.jobs)}
    ${one.workers.length ? html`<div class="card"><table class="jobs workers parts">
      <thead><tr><th scope="col">${t('app.worker')}</th><th scope="col">${t('jobs.state')}</th><th scope="col">${t('app.node')}</th><th scope="col">${t('instance')}</th><th scope="col">${t('app.since')}</th></tr></thead>
      <tbody>${one.workers.map((worker) => row(route, worker))}</tbody></table></div>` : html`<p class="quiet">${t('app.noWorkers')}</p>`}
    ${one.leftOut ? html`<p class="quiet small">${count('app.leftOut', one.leftOut)}</p>` : nothing}</section>`;
}

function jobs(route, names) {
  if (!names.length) return html`<p class="quiet">${t('app.noJobs')}</p>`;
  return html`<p class="small jobs-of">${t('jobs')}: ${names.map((job, place) => html`${place ? ', ' : nothing}<a href=${href({registry: route.registry, job})}>${breakable(job)}</a>`)}</p>`;
}

function row(route, {name, phase, pod, node, instance, since, reason, text}) {
  return html`<tr><th scope="row"><span class="name">${breakable(pod || name)}</span></th>
    <td data-label=${t('jobs.state')}>${sign(PHASES[phase] ?? 'UNKNOWN', phaseOf(phase, instance))}${reason ? html` <strong class="small">${reason}</strong>` : nothing}
</td>
    <td data-label=${t('app.node')}>${node ? breakable(node) : '–'}</td>
    <td data-label=${t('instance')}>${instance ? html`<a href=${href({view: 'servers', registry: route.registry, server: instance.split('@-@')[0]})}>${breakable(instance)}</a>` : '–'}</td>
    <td data-label=${t('app.since')}>${when(since, '–')}</td></tr>
    ${text ? html`<tr class="why"><td colspan="5">${said(text)}</td></tr>` : nothing}`;
}

// A container that runs has not registered yet.
function phaseOf(phase, instance) {
  return t('app.phase.' + (phase === 'RUNNING' && !instance ? 'UNREGISTERED' : phase));
}
