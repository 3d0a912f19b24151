// The groups of dynamic sharding, and one of them: who works on which index.
import {html, nothing} from './lit-html.js';
import {asOf, lateClass} from './freshness.js';
import {breakable, chip, fact, failed, loading, sentence, sign, when} from './parts.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

const PAUSE = 2_000;
const PAUSE_OF_ONE = 1_000;

export function sources(route) {
  const path = `registries/${segment(route.registry)}/groups`;
  return [route.group ? {key: 'group', path: `${path}/${segment(route.group)}`, pause: PAUSE_OF_ONE} : {key: 'groups', path, pause: PAUSE}];
}

export function title(route) {
  return route.group || t('groups');
}

// What a screen reader says when something has changed.
export function news(answers) {
  const all = answers.group?.data ? [answers.group.data.group] : answers.groups?.data?.groups ?? [];
  return all.map((one) => `${nameOf(one)}: ${stateOf(one)[1]}`).join('; ');
}

export function view(route, answers) {
  return route.group ? whole(route, answers.group ?? {}) : overview(route, answers.groups ?? {});
}

function overview(route, answer) {
  const {data, problem} = answer;
  return html`<header class="head"><h1 tabindex="-1">${t('groups')}</h1>
      ${data ? html`<p class="quiet">${count('groups.count', data.groups.length)}</p>${asOf(answer)}` : nothing}</header>
    ${data ? html`<div class="part ${lateClass(answer)}">${table(route, data)}</div>` : problem ? failed(problem) : loading()}`;
}

function table(route, {groups}) {
  if (groups.length === 0) return html`<section class="empty"><h2>${t('groups.none')}</h2><p class="quiet">${t('groups.none.why')}</p></section>`;
  return html`<div class="card"><table class="jobs groups">
    <thead><tr><th scope="col">${t('group')}</th><th scope="col">${t('jobs.state')}</th><th scope="col" class="number">${t('group.indexes')}</th>
      <th scope="col" class="number">${t('instances')}</th><th scope="col">${t('group.leader')}</th><th scope="col">${t('group.since')}</th></tr></thead>
    <tbody>${groups.map((one) => html`<tr><th scope="row"><a class="name" href=${toGroup(route, one.node)}>${breakable(nameOf(one))}</a><p class="quiet small">${breakable(one.node)}</p></th>
      <td data-label=${t('jobs.state')}>${state(one)}</td><td data-label=${t('group.indexes')} class="number">${one.indexes}</td>
      <td data-label=${t('instances')} class="number">${one.instances}</td><td data-label=${t('group.leader')}>${one.leader ? breakable(one.leader) : '–'}</td>
      <td data-label=${t('group.since')}>${when(one.since, '–')}</td></tr>`)}</tbody></table></div>`;
}

function toGroup(route, group) {
  return href({view: 'groups', registry: route.registry, group});
}

function nameOf({group}) {
  return group || t('group.unnamed');
}

// ------------------------------------------------------------------ what a group does, in one word

function stateOf({findings: [worst], stopping, held, indexes}) {
  if (worst) return [worst.kind, t('finding.' + worst.kind)];
  if (stopping) return ['WAITS', held ? count('group.stops', held) : t('group.assigns')];
  return held < indexes ? ['WAITS', t('group.begins', {n: held, of: indexes})] : ['HEALTHY', t('group.works')];
}

function state(one) {
  return sign(...stateOf(one));
}

// ------------------------------------------------------------------ one group

function whole(route, answer) {
  const {data, problem} = answer;
  const gone = problem?.status === 404;
  return html`<nav class="crumbs" aria-label=${t('crumbs')}><a href=${href({view: 'groups', registry: route.registry})}>${t('groups')}</a></nav>
    <header class="head"><h1 tabindex="-1">${data && !gone ? nameOf(data.group) : route.group}</h1>${data && !gone ? html`${state(data.group)}${asOf(answer)}` : nothing}</header>
    ${data && !gone ? html`<div class="part ${lateClass(answer)}">${facts(data.group)}${findings(data.group)}${members(data)}</div>` : problem ? failed(problem) : loading()}`;
}

function facts({node, leader, epoch, stopping, since, indexes}) {
  return html`<dl class="facts">${fact(t('group.node'), breakable(node))}${fact(t('group.leader'), leader ? breakable(leader) : t('unknown'))}
    ${fact(t('group.epoch'), epoch < 0 ? nothing : epoch)}${fact(t(stopping ? indexes ? 'group.stopping.since' : 'group.since' : 'group.assigned.since'), when(since, t('unknown')))}</dl>`;
}

function findings({findings: found}) {
  return found.map((one) => html`<section class="card finding"><p>${chip('finding', one.kind)} ${sentence('fact', one.fact)}</p>
    <p class="small remedy">${sentence('remedy', one.remedy)} ${one.since ? html`<span class="quiet">${t('condition.since')} ${when(one.since)}</span>` : nothing}</p></section>`);
}

function members({group, shares, instances, leftOut}) {
  const assigned = new Set([...shares.map(({owner}) => owner), ...leftOut]);
  const waiting = instances.filter((id) => !assigned.has(id));
  const there = new Set(instances);
  if (!shares.length && !leftOut.length && !waiting.length) return html`<section class="empty"><h2>${t('group.nobody')}</h2></section>`;
  return html`<div class="card"><table class="jobs members">
    <thead><tr><th scope="col" class="number">${t('group.index')}</th><th scope="col">${t('instance')}</th><th scope="col">${t('jobs.state')}</th></tr></thead>
    <tbody>${shares.map(({index, owner, held}) => member(index, owner, shareState(group.stopping, held, there.has(owner))))}
      ${leftOut.map((id) => member('–', id, sign('FAILED', t('group.leftOut'))))}
      ${waiting.map((id) => member('–', id, sign('WAITS', t('group.waits'))))}</tbody></table></div>`;
}

function shareState(stopping, held, there) {
  if (held) return stopping ? sign('WAITS', t('group.stillWorks')) : sign('RUNNING', t('group.worksOn'));
  if (!there) return sign('GONE', t('group.gone'));
  return stopping ? sign('COMPLETED', t('group.stopped')) : sign('WAITS', t('group.notBegun'));
}

function member(index, id, is) {
  return html`<tr><td class="number" data-label=${t('group.index')}>${index}</td><th scope="row">${breakable(id)}</th><td data-label=${t('jobs.state')}>${is}</td></tr>`;
}
