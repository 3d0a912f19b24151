// One job: who runs which item, why an item doesn't run, when it is due, and how it is set.
import {html, nothing} from './lit-html.js';
import {full, isZone, lasted, moment, number, percent, relative} from './format.js';
import {backfill, lastCommands, openFirings} from './activity.js';
import {condition, conditionOf, noFiring, schedule} from './jobs.js';
import {button} from './commands.js';
import {grid} from './firings.js';
import {lateClass, part, TRACED} from './freshness.js';
import {leftOut, span, withLeftOut} from './leftout.js';
import {logLink} from './logs.js';
import {chip, fact, failed, loading, look, pausedBy, sentence, when} from './parts.js';
import {remedyButton, toSettings} from './remedies.js';
import {run} from './run.js';
import {href, segment} from './route.js';
import {settings} from './settings.js';
import {count, has, t} from './texts.js';
import {query, whatIf} from './whatif.js';

const TABS = ['items', 'firings', 'next', 'settings', 'whatif', 'commands', 'tree'];
// What only some of the views have in their addresses.
const NOTHING_ASKED = {item: '', before: '', firing: '', without: '', more: '', total: '', strategy: '', runOn: ''};
const OTHER = {next: 'next?count=20', settings: 'definition', commands: 'commands', tree: 'tree'};
// The server reads once a second while somebody waits, so nothing on the screen is older than four.
const LIVE = {pause: 1_000, wait: 2};
// The API tells no more.
const SELDOM = {pause: 5_000, late: 8_000};

export function sources(route) {
  const path = `registries/${segment(route.registry)}/jobs/${segment(route.job)}`;
  const all = [{key: 'job', path, ...LIVE}, {key: 'demand', path: `registries/${segment(route.registry)}/demand?jobs=${segment(route.job)}`, ...SELDOM}];
  if (route.item) {
    all.push({key: 'explanation', path: `${path}/items/${route.item}/explanation`, ...LIVE});
    all.push({key: 'item', path: `${path}/items?from=${route.item}`, ...LIVE});
  }
  if (route.tab === 'firings') all.push({key: 'firings', path: `${path}/firings${route.before ? '?before=' + encodeURIComponent(route.before) : ''}`, ...TRACED});
  if (route.tab === 'firings' && !route.before) all.push({key: 'ends', path: `registries/${segment(route.registry)}/latest?jobs=${segment(route.job)}&firings=50`, ...TRACED});
  if (route.tab === 'firings' && route.firing) all.push({key: 'firing', path: `${path}/firings/${segment(route.firing)}`, ...TRACED});
  if (route.tab === 'whatif') all.push({key: 'whatif', path: `${path}/preview?${query(route)}`, ...SELDOM});
  if (route.tab === 'settings') all.push({key: 'commands', path: `${path}/commands`, ...SELDOM});
  if (OTHER[route.tab]) all.push({key: route.tab, path: `${path}/${OTHER[route.tab]}`, ...SELDOM});
  return all;
}

export function title(route) {
  return route.job;
}

// What a screen reader says when something has changed.
export function news(answers) {
  const data = answers.job?.data;
  if (!data) return '';
  const running = data.items.filter((item) => item.running).length;
  return `${count('job.instances', data.instances.length)}, ${count('job.running', running)}`;
}

export function view(route, answers, go, act, administer, redraw) {
  const {data, problem} = answers.job ?? {};
  const gone = problem?.status === 404;
  return html`
    <nav class="crumbs" aria-label=${t('crumbs')}><a href=${href({view: 'jobs', registry: route.registry})}>${t('jobs')}</a></nav>
    <header class="head ${lateClass(answers.job)}"><h1 tabindex="-1">${route.job}</h1>${data && !gone ? condition(conditionOf(data.job, data.last)) : nothing}
      ${data && !gone && act ? html`<span class="actions">${commands(data).map(([kind, look]) => button(act, {kind}, look))}</span>` : nothing}</header>
    ${!data || gone ? (problem ? failed(problem) : loading()) : whole(route, data, answers, {go, act, administer, redraw})}`;
}

// Of a job whose settings can't be used, nothing starts.
function commands({job, backfill: running}) {
  const pause = [[job.paused?.scope === 'JOB' ? 'resume' : 'pause']];
  if (job.status === 'UNREADABLE') return pause;
  return [...(running ? [] : [['backfill']]), ['reshard'], ...pause, ['run', 'button primary']];
}

function whole(route, data, answers, doing) {
  const {job} = data;
  return html`
    ${job.problem ? html`<p class="banner bad">${job.status === 'UNREADABLE' ? t('job.unreadable') : ''} <span lang="en">${job.problem}</span>
      ${job.status === 'UNREADABLE' && route.tab !== 'settings' ? html` <a class="button" href=${href({...route, ...NOTHING_ASKED, tab: 'settings'})}>${t('settings.see')}</a>` : nothing}</p>` : nothing}
    ${job.paused ? html`<p class="banner warn">${pausedBy(job.paused)}</p>` : nothing}
    ${backfill(data.backfill, doing.act)}
    ${route.run ? run(route, data) : nothing}
    <dl class="facts">
      ${fact(t('schedule'), schedule(job))}
      ${fact(t('nextFiring'), job.status === 'UNREADABLE' ? html`<span class="quiet">${t('unknown')}</span>` : when(job.nextFiring, noFiring(job)))}
      ${clocks(job)}
      ${fact(t('type'), job.type ?? html`<span class="quiet">${t('unknown')}</span>`)}
      ${fact(t('items'), data.items.length)}
      ${fact(t('instances'), data.instances.length)}
      ${demand(answers.demand)}
      ${job.reshardingNecessary ? fact(t('resharding'), t('resharding.requested')) : nothing}
    </dl>
    <nav class="tabs" aria-label=${t('job.views')}>
      ${TABS.map((tab) => html`<a href=${href({...route, ...NOTHING_ASKED, tab: tab === 'items' ? '' : tab})}
        aria-current=${(route.tab || 'items') === tab ? 'page' : nothing}>${t('tab.' + tab)}</a>`)}
    </nav>
    ${body(route, data, answers, doing)}`;
}

// What one more instance would find to do, and what is being done: workers are scaled by it.
function demand(answer) {
  const now = answer?.data;
  if (!now || now.unknown > 0) return nothing;
  const weight = now.weight === now.open + now.running ? '' : number(now.weight);
  return fact(t('demand'), html`<span class=${lateClass(answer)}>${t('demand.now', {open: number(now.open), running: number(now.running), weight})}</span>`);
}

// All times on the page are the reader's; those of the schedule are meant in the job's zone.
function clocks({schedule: inForce}) {
  const timeZone = inForce?.timeZone;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZone && timeZone !== here ? fact(t('zone.times'), t('zone.both', {here, own: timeZone})) : nothing;
}

function body(route, data, answers, {go, act, administer, redraw}) {
  const tab = route.tab || 'items';
  if (tab === 'items') return items(route, data, answers, act);
  const answer = answers[tab] ?? {};
  if (tab === 'whatif') return part(answer, whatIf(route, data, answer, go));
  if (tab === 'firings') return part(answer, grid(route, answer, {ends: answers.ends, one: answers.firing}, redraw));
  if (!answer.data) return answer.problem ? failed(answer.problem) : loading();
  if (tab === 'next') return part(answer, firings(data.job, answer.data));
  if (tab === 'commands') return part(answer, lastCommands(answer.data));
  return part(answer, tab === 'settings' ? settings(route, answer.data, administer, answers.commands?.data) : tree(answer.data));
}

// ------------------------------------------------------------------ the map

function items(route, data, answers, act) {
  return html`<div class="split ${route.item ? 'open' : ''}">
    <section aria-label=${t('map')}>${part(answers.job, html`${data.progressProblems.map(unreadable)}${map(route, data, act)}${openFirings(data.firings)}`)}</section>
    ${route.item ? panel(route, data, answers, act) : nothing}
  </div>`;
}

function unreadable(problem) {
  return html`<p class="banner warn">${t('progress.unknown')} <span lang="en">${problem}</span></p>`;
}

// An item that runs elsewhere than its owner stands in both rows.
export function rows(data) {
  const found = data.instances.map((instance) => ({instance, items: []}));
  const row = (id) => found.find((one) => one.instance?.id === id);
  const nobody = {instance: null, items: []};
  const gone = new Map();
  for (const item of data.items) {
    const owner = item.owner && row(item.owner);
    if (owner) owner.items.push({item, here: !item.running || item.runsOn === item.owner});
    else if (item.owner) gone.set(item.owner, [...(gone.get(item.owner) ?? []), {item, here: false}]);
    else nobody.items.push({item, here: false});
    if (item.runsOn && item.runsOn !== item.owner) row(item.runsOn)?.items.push({item, here: true});
  }
  for (const [id, theirs] of gone) found.push({instance: null, gone: id, items: theirs});
  return nobody.items.length ? [...found, nobody] : found;
}

function map(route, data, act) {
  if (data.items.length === 0 && data.instances.length === 0) {
    return html`<section class="empty"><h2>${t('map.nobody')}</h2><p class="quiet">${t('map.nobody.why')}</p></section>`;
  }
  return html`<div class="card"><table class="map" @keydown=${arrows}>
    <thead><tr><th scope="col">${t('instance')}</th><th scope="col">${t('items')}</th></tr></thead>
    <tbody>${rows(data).map((row) => html`<tr>
      <th scope="row">${row.instance ? instance(row.instance, act) : nobody(row, act)}</th>
      <td><div class="squares">${row.items.map((one) => square(route, one, data.progress[one.item.item]))}
        ${row.items.length === 0 ? html`<span class="quiet">${t('map.noItems')}</span>` : nothing}</div></td>
    </tr>`)}</tbody>
  </table></div>
  <ul class="legend" aria-label=${t('legend')}>${['RUNNING', 'COMPLETED', 'FAILED', 'INTERRUPTED', 'NEW'].map(
    (state) => html`<li>${chip('item', state)}</li>`)}<li><span class="chip idle"><span class="glyph" aria-hidden="true">${look('DISABLED')[1]}</span>${t('item.disabled')}</span></li></ul>`;
}

function nobody(row, act) {
  if (!row.gone) return html`<span class="name">${t('map.noOwner')}</span>`;
  const awaited = row.items[0].item.awaitedUntil;
  const [tone, text] = awaited ? ['', t('instance.awaited', {time: moment(awaited)})] : ['bad', t('instance.gone')];
  return html`<span class="name">${row.gone}</span><p class="badges"><span class="badge ${tone}">${text}</span></p>
    ${act && awaited ? html`<p class="badges">${['endWait', 'endWaitAll'].map((kind) => button(act, {kind, instance: row.gone}, 'link'))}</p>` : nothing}`;
}

function instance(one, act) {
  return html`<span class="name">${one.id}</span>
    <p class="badges">
      ${one.leader ? html`<span class="badge">${t('instance.leader')}</span>` : nothing}
      ${one.draining ? drain(one) : nothing}
      ${one.clockDiffers ? html`<span class="badge warn" title=${t('instance.clockDiffers.why')}>${t('instance.clockDiffers')}</span>` : nothing}
      ${one.serverDisabled ? html`<span class="badge warn">${t('instance.serverDisabled')}</span>` : nothing}
      ${one.matches ? nothing : html`<span class="badge warn" title=${t('instance.unmatched.why')}>${t('instance.unmatched')}</span>`}
      ${one.capacity ? html`<span class="badge">${t('instance.capacity', {capacity: one.capacity})}</span>` : nothing}
      ${Object.entries(one.labels).map(([name, value]) => html`<span class="badge">${name}${value ? `=${value}` : ''}</span>`)}
      ${one.software !== 'of ours' ? html`<span class="badge bad">${one.software}</span>` : nothing}
      <span class="quiet" title=${full(one.since)}>${t('joined', {when: relative(one.since)})}</span>
    </p>
    ${act ? html`<p class="badges">${(one.drainedBy ? ['undrain', 'undrainAll'] : one.draining ? [] : ['drain', 'drainAll']).map(
    (kind) => button(act, {kind, instance: one.id}, 'link'))}
      ${button(act, {kind: one.serverDisabled ? 'enableServer' : 'disableServer', server: one.server}, 'link')}</p>` : nothing}`;
}

function drain({drainedBy}) {
  if (!drainedBy) return html`<span class="badge warn">${t('instance.draining')}</span>`;
  return html`<span class="badge warn" title=${full(drainedBy.since)}>${t('instance.drainedBy', {actor: drainedBy.actor || t('unknown')})}</span>
    ${drainedBy.reason ? html`<span class="quiet">${drainedBy.reason}</span>` : nothing}`;
}

export function stateOf({item, here}) {
  if (item.unreadable) return 'UNKNOWN';
  if (item.running && here) return 'RUNNING';
  return item.disabled ? 'DISABLED' : item.state;
}

function square(route, one, told) {
  const {item} = one;
  const bar = told?.total && one.here && item.running;
  const state = stateOf(one);
  const [tone, glyph] = look(state);
  const chosen = String(item.item) === route.item;
  const words = [t('item', {n: item.item}), state === 'DISABLED' ? t('item.disabled') : t('item.' + state)];
  if (item.disabled && state !== 'DISABLED') words.push(t('item.disabled'));
  if (bar) words.push(percent(share(told)));
  if (item.cancelled) words.push(t('item.cancelled'));
  if (item.waitsForFailover) words.push(t('item.waitsForFailover'));
  if (item.misfired) words.push(t('item.misfired'));
  if (item.running && !one.here) words.push(item.runsOn ? t('item.elsewhere', {instance: item.runsOn}) : t('item.RUNNING'));
  return html`<a class="square ${tone} ${item.waitsForFailover ? 'waits' : ''} ${item.running && !one.here ? 'elsewhere' : ''}"
    href=${href({...route, item: chosen ? '' : String(item.item)})} aria-current=${chosen ? 'true' : nothing}
    aria-label=${words.join(', ')} title=${words.join(', ')}><span>${item.item}</span><span class="glyph">${glyph}</span>${
      bar ? html`<progress aria-hidden="true" max="1" value=${share(told)}></progress>` : nothing}</a>`;
}

function arrows(event) {
  const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1};
  if (!(event.key in steps) || !event.target.classList.contains('square')) return;
  event.preventDefault();
  const inRow = event.key === 'ArrowRight' || event.key === 'ArrowLeft';
  const squares = (root) => [...root.querySelectorAll('.square')];
  if (inRow) {
    const all = squares(event.currentTarget);
    all[all.indexOf(event.target) + steps[event.key]]?.focus();
    return;
  }
  const row = event.target.closest('tr');
  const other = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  const place = squares(row).indexOf(event.target);
  if (other) squares(other)[Math.min(place, squares(other).length - 1)]?.focus();
}

// ------------------------------------------------------------------ one item

function panel(route, data, answers, act) {
  const {explanation, item} = answers;
  const square = data.items.find((one) => String(one.item) === route.item);
  const close = href({...route, item: ''});
  return html`<section class="panel card" aria-label=${t('item', {n: route.item})}>
    <header><h2>${t('item', {n: route.item})}</h2>
      ${explanation?.data ? chip('verdict', explanation.data.verdict) : nothing}
      <a class="close" href=${close} aria-label=${t('close')}>✕</a></header>
    ${square && act ? buttons(square, act) : nothing}
    ${square && item?.data ? trouble(square, item.data.items.find((one) => String(one.item) === route.item)) : nothing}
    ${progress(data.progress[route.item])}
    ${explanation?.data ? part(explanation, conditions(route, explanation.data, act)) : explanation?.problem ? failed(explanation.problem) : loading()}
    ${square && item?.data ? execution(route, item.data.items.find((one) => String(one.item) === route.item)) : nothing}
  </section>`;
}

// What went wrong last comes before what the item waits for.
function trouble(square, item) {
  const last = item?.itemRecord;
  if (!last || item.running || !['FAILED', 'INTERRUPTED'].includes(square.state)) return nothing;
  return html`<p class="trouble">${chip('item', square.state)} ${last.finishedAt ? when(last.finishedAt) : nothing}
    ${last.failure ? html`<span class="problem" lang="en">${last.failure.split('\n')[0]}</span>` : nothing}</p>`;
}

// As the job says, so nothing is made of it: no rate, no end that nobody knows.
function progress(known) {
  if (!known) return nothing;
  const {done, total, text, written} = known;
  const words = t(total ? 'progress.of' : 'progress.done', {done: number(done), total: number(total)});
  return html`<section class="progress" aria-label=${t('progress')}>${text ? html`<p>${text}</p>` : nothing}
    <p>${total ? html`<progress aria-label=${t('progress')} max="1" value=${share(known)}></progress> <strong>${percent(share(known))}</strong> ` : nothing}${words}
      <span class="quiet" title=${full(written)}>${t('fresh', {time: moment(written)})}</span></p></section>`;
}

// Never all of it before it is.
function share({done, total}) {
  return Math.min(1, Math.floor((100 * done) / total) / 100);
}

function buttons(item, act) {
  const commands = [{kind: item.disabled ? 'enableItem' : 'disableItem', item: item.item}];
  if (!item.disabled) commands.unshift({kind: 'run', items: [item.item]});
  if (item.running || item.waitsForFailover || item.state === 'INTERRUPTED') commands.push({kind: 'cancelItem', item: item.item});
  if (item.running && item.runId) commands.push({kind: 'cancelRun', run: item.runId, firing: item.scheduledAt});
  if (!item.running && item.state === 'FAILED' && item.runId) commands.push({kind: 'runAgain', run: item.runId, firing: item.scheduledAt});
  return html`<p class="actions">${commands.map((command) => button(act, command))}</p>`;
}

function conditions(route, data, act) {
  return html`<p class="verdict">${t('verdict.' + data.verdict + '.says')}</p>
    <ol class="conditions">${data.conditions.map((one, place) => html`<li class=${one.certainty === 'UNKNOWN' ? 'unknown' : place === 0 ? 'first' : ''}>
      <h3>${has('reason.' + one.reason) ? t('reason.' + one.reason) : one.reason}
        ${one.certainty === 'UNKNOWN' ? html`<span class="badge">${t('certainty.UNKNOWN')}</span>` : nothing}</h3>
      <p>${sentence('fact', one.fact)}</p>
      <dl class="facts small">
        ${one.since ? fact(t('condition.since'), when(one.since)) : nothing}
        ${one.until ? fact(t('condition.until'), when(one.until)) : nothing}
        ${fact(t('condition.remedy'), html`${sentence('remedy', one.remedy)} ${remedyButton(act, one.remedy)}${toSettings(route, one.remedy, route.job)}`)}
        ${one.node ? fact(t('condition.node'), html`<code>${one.node}</code> ${one.version === null ? '' : t('version', {n: one.version})}`) : nothing}
      </dl></li>`)}</ol>`;
}

function execution({registry, job}, item) {
  if (!item) return nothing;
  const last = item.itemRecord;
  return html`<h3 class="section">${t('last')}</h3>
    ${item.problem ? html`<p class="banner bad" lang="en">${item.problem}</p>` : nothing}
    <dl class="facts small">
      ${fact(t('last.state'), chip('item', item.problem ? 'UNKNOWN' : last.state))}
      ${last.scheduledAt ? fact(t('last.scheduledAt'), when(last.scheduledAt)) : nothing}
      ${last.startedAt ? fact(t('last.startedAt'), when(last.startedAt)) : nothing}
      ${last.finishedAt ? fact(t('last.finishedAt'), when(last.finishedAt)) : nothing}
      ${last.startedAt && last.finishedAt ? fact(t('last.lasted'), lasted(last.startedAt, last.finishedAt)) : nothing}
      ${last.instance ? fact(t('last.instance'), last.instance) : nothing}
      ${last.attempt > 1 ? fact(t('last.attempt'), last.attempt) : nothing}
      ${last.crashes > 0 ? fact(t('last.crashes'), last.crashes) : nothing}
      ${last.cancelled ? fact(t('last.cancelled'), last.cancelled) : nothing}
      ${last.requester ? fact(t('firings.actor'), [last.requester.actor, last.requester.reason].filter(Boolean).join(': ')) : nothing}
      ${last.runId ? fact(t('last.runId'), html`<code>${last.runId}</code>`) : nothing}
      ${item.lock ? fact(t('last.token'), item.lock.token) : nothing}
      ${item.waitingRuns.length ? fact(t('last.waitingRuns'), item.waitingRuns.map((run) => run.runIds.join(', ') + (run.requester ? ` (${run.requester})` : '')).join('; ')) : nothing}
      ${item.checkpoint ? fact(t('last.checkpoint'), html`<code>${item.checkpoint}</code>`) : nothing}
    </dl>
    ${logLink(registry, {...last, job, item: item.item, endedAt: item.running ? null : last.finishedAt})}
    ${last.failure ? html`<h3 class="section">${t('last.failure')}</h3><pre class="failure" tabindex="0">${last.failure}</pre>` : nothing}`;
}

// ------------------------------------------------------------------ the other views

function firings(job, data) {
  const rows = withLeftOut(data);
  if (rows.length === 0) {
    return html`<section class="empty"><h2>${t('firing.none')}</h2><p class="quiet">${noFiring(job)}</p></section>`;
  }
  const zone = job.schedule?.timeZone;
  const own = zone && isZone(zone) ? zone : null;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const both = own && own !== here;
  return html`${job.paused ? html`<p class="quiet" data-paused>${t('firing.paused')}</p>` : nothing}<div class="card"><table>
    <thead><tr><th scope="col">${t('firing.in')}</th>${both ? html`<th scope="col">${own} (${t('zone.job')})</th>` : nothing}
      <th scope="col">${here} (${t('zone.here')})</th></tr></thead>
    <tbody>${rows.map(({time, last, ...calendar}) => html`<tr class=${calendar.n ? 'quiet' : nothing}><th scope="row">${relative(time)}${leftOut(calendar)}</th>
      ${both ? html`<td>${span(time, last, own)}</td>` : nothing}<td>${span(time, last)}</td></tr>`)}</tbody>
  </table></div>`;
}

function tree(data) {
  return html`<p class="quiet">${t('tree.masked')}</p><pre class="card tree" tabindex="0" aria-label=${t('tab.tree')}>${data.nodes.join('\n')}</pre>`;
}
