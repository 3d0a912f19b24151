// One command for several jobs: chosen in the list, ten at a time, with a result for each; it can be stopped.
import {html, nothing} from './lit-html.js';
import {get, send} from './api.js';
import {newId} from './commands.js';
import {list, marks, placed, refusal, showProblem} from './forms.js';
import {problemText} from './parts.js';
import {segment} from './route.js';
import {count, t} from './texts.js';

const MOST = 500;
const TOGETHER = 10;
const COMMANDS = ['reshard', 'pause', 'resume', 'disable', 'enable', 'run'];

// What takes a command back. Who had paused a job is not brought back: the pause is then of who takes it back.
const UNDOES = {pause: 'resume', resume: 'pause', disable: 'enable', enable: 'disable'};

let chosen = new Set();
let matching = null; // how choosing all that match went: how many were chosen of how many, or the problem
let undoable = null; // the last command that can be taken back: its registry, and the jobs that it has changed
let asked = null; // the command in the dialog: its preview, its results, and whether it was stopped

// What was chosen, and what could be taken back, is of one registry.
export function forget() {
  none();
  undoable = null;
}

function none() {
  chosen = new Set();
  matching = null;
}

export function box(name, draw) {
  const change = (event) => {
    matching = null;
    if (event.target.checked && chosen.size < MOST) chosen.add(name);
    else chosen.delete(name);
    draw();
  };
  return html`<input type="checkbox" aria-label=${t('bulk.choose', {job: name})} .checked=${chosen.has(name)} @change=${change}>`;
}

export function boxOfAll(names, draw) {
  const all = names.length > 0 && names.every((name) => chosen.has(name));
  const change = () => {
    matching = null;
    for (const name of names) {
      if (all) chosen.delete(name);
      else if (chosen.size < MOST) chosen.add(name);
    }
    draw();
  };
  return html`<input type="checkbox" aria-label=${t('bulk.chooseAll')} .checked=${all} @change=${change}>`;
}

// Shown as long as there are chosen jobs, or a command that can be taken back.
export function bar(route, page, session, draw) {
  if (chosen.size === 0 && !undoable) return nothing;
  const doing = (change) => () => {
    change();
    draw();
  };
  return html`<div class="banner bulk" role="region" aria-label=${t('bulk')}>
    ${chosen.size ? html`<strong>${count('bulk.chosen', chosen.size)}</strong>${all(route, page, draw)}
    <span class="actions">${COMMANDS.map((command) => html`<button type="button" class="button" data-key=${'bulk-' + command}
        @click=${() => ask(command, route.registry, [...chosen], session, draw)}>${t(`command.${command}.do`)}</button>`)}
      <button type="button" class="link" @click=${doing(none)}>${t('bulk.none')}</button></span>` : nothing}
    ${undoable ? html`<span class="undo">${t('bulk.ended.' + undoable.command, {n: undoable.jobs.length})} ${undoButton(undoable, session, draw)}
      <button type="button" class="link" aria-label=${t('bulk.undo.keep')} title=${t('bulk.undo.keep')} @click=${doing(() => { undoable = null; })}>✕</button></span>` : nothing}</div>`;
}

function undoButton({command, registry, jobs}, session, draw) {
  return html`<button type="button" class="button" data-key="bulk-undo" @click=${() => ask(UNDOES[command], registry, jobs, session, draw)}>${count('bulk.undo', jobs.length)}</button>`;
}

// Of the search, more jobs may match than the page shows.
function all(route, page, draw) {
  if (matching?.problem) return html`<span role="alert">${problemText(matching.problem)}</span>`;
  if (matching?.unread) return html`<span role="status">${t('bulk.matching.unread', {n: matching.unread})}</span>`;
  if (matching && matching.of > matching.chosen) return html`<span role="status">${t('bulk.matching.most', {n: matching.chosen, of: matching.of})}</span>`;
  if (!page || page.names <= page.jobs.length || page.names <= chosen.size) return nothing;
  return html`<button type="button" class="link" data-key="bulk-matching" @click=${() => chooseMatching(route, draw)}>${t(route.search || route.state ? 'bulk.matching' : 'bulk.every', {n: page.names})}</button>`;
}

// Only what has been read is known to match: before that is everything, nothing is chosen.
async function chooseMatching(route, draw) {
  const query = new URLSearchParams();
  for (const name of ['search', 'state']) if (route[name]) query.set(name, route[name]);
  try {
    const {names, total, swept} = await get(`registries/${segment(route.registry)}/names?${query}`);
    if (swept && !swept.complete) {
      matching = {unread: swept.of - swept.jobs};
    } else {
      chosen = new Set(names.slice(0, MOST));
      matching = {chosen: chosen.size, of: total};
    }
  } catch (problem) {
    matching = {problem};
  }
  draw();
}

// For jobs that were not chosen in the list; with the server that the command is about.
export function askOf({bulk: command, jobs, server, registry}, session, draw) {
  return ask(command, registry, jobs, session, draw, server);
}

async function ask(command, registry, jobs, session, draw, server = undefined) {
  const now = {command, registry, jobs: [...jobs].sort(), server, runId: newId(), preview: [], results: [], stopped: false, state: 'previews', problem: null};
  asked = now;
  await inTens(now, now.preview, '?dryRun=true', '', session, draw);
  now.state = 'asks';
  draw();
}

// Ten in one request; between two of them, it can be stopped.
async function inTens(now, results, query, reason, session, draw) {
  draw();
  for (let from = 0; from < now.jobs.length && asked === now && !now.stopped; from += TOGETHER) {
    const body = {command: now.command, jobs: now.jobs.slice(from, from + TOGETHER), runId: now.command === 'run' ? now.runId : undefined, server: now.server, reason: reason || undefined};
    try {
      results.push(...(await send(['POST', `registries/${segment(now.registry)}/bulk${query}`, body], session.csrf)).results);
    } catch (problem) {
      now.problem = problem;
      if (now.state === 'runs') showProblem();
      break;
    }
    draw();
  }
}

async function carryOut(now, reason, session, draw) {
  now.state = 'runs';
  now.problem = null;
  await inTens(now, now.results, '', reason, session, draw);
  // What was refused as a whole can be corrected.
  now.state = now.problem && now.results.length === 0 ? 'asks' : 'ended';
  if (now.results.length) undoable = undone(now);
  draw();
}

// Taken back are the jobs that it has changed: those that were so already are left as they are.
function undone({command, registry, preview, results}) {
  const changed = new Set(preview.filter((one) => one.outcome === 'CHANGES').map((one) => one.job));
  const jobs = results.filter((one) => one.outcome === 'DONE' && changed.has(one.job)).map((one) => one.job);
  return UNDOES[command] && jobs.length ? {command, registry, jobs} : null;
}

function summary(results) {
  const outcomes = [...new Set(results.map((one) => one.outcome))];
  return html`<ul>${outcomes.map((outcome) => html`<li>${count('bulk.' + outcome, results.filter((one) => one.outcome === outcome).length)}</li>`)}</ul>`;
}

function sums(results) {
  const total = new Map();
  for (const {effects} of results) for (const one of effects) if (one.count) total.set(one.code, (total.get(one.code) ?? 0) + one.count);
  return html`<ul>${[...total].map(([code, n]) => html`<li>${count('effect.' + code, n)}</li>`)}</ul>`;
}

function problems(results) {
  const bad = results.filter((one) => ['REFUSED', 'FAILED', 'NOT_BEGUN'].includes(one.outcome));
  if (bad.length === 0) return nothing;
  return html`<table class="conflict"><tbody>${bad.map((one) => html`<tr><th scope="row">${one.job}</th>
    <td>${count('bulk.' + one.outcome, 1)}</td><td lang="en">${one.detail ?? one.effects.map((effect) => t('effect.' + effect.code)).join(' ')}</td></tr>`)}</tbody></table>`;
}

export function dialog(session, place, draw) {
  if (!asked) return nothing;
  const now = asked;
  // A dialog that is closed because another one took its place ends nothing.
  const close = () => {
    if (asked !== now) return;
    now.stopped = true;
    asked = null;
    draw();
  };
  const stop = () => {
    now.stopped = true;
    draw();
  };
  const confirm = (event) => carryOut(now, event.target.closest('dialog').querySelector('input')?.value.trim() ?? '', session, draw);
  const {at, rest} = placed(now.problem, now.state === 'asks' ? ['reason'] : []);
  const {invalid, describedBy} = marks('asked-reason', at.get('reason'));
  const done = now.state === 'previews' ? now.preview : now.results;
  const working = now.state === 'previews' || now.state === 'runs';
  return html`<dialog aria-labelledby="asked" @close=${close}>
    <h2 id="asked">${t('bulk.' + now.command, {n: now.jobs.length, server: now.server ?? ''})}</h2>
    <p class="quiet">${t('command.inSome', {place})}</p>
    <details><summary>${count('jobs.count', now.jobs.length)}</summary><p class="small name">${now.jobs.join(', ')}</p></details>
    ${working ? html`<p role="status"><progress max=${now.jobs.length} value=${done.length} aria-label=${t('bulk')}></progress>
      ${t('bulk.progress', {n: done.length, of: now.jobs.length})}</p>` : nothing}
    ${now.state === 'asks' ? html`${summary(now.preview)}${sums(now.preview)}${problems(now.preview)}
      <label for="asked-reason"><span>${t('command.reason')}</span></label><input id="asked-reason" name="reason" maxlength="1000" autocomplete="off"
        aria-invalid=${invalid} aria-describedby=${describedBy}>${list('asked-reason', at.get('reason'))}` : nothing}
    ${now.state === 'ended' ? html`${summary(now.results)}${now.stopped ? html`<p>${t('bulk.stopped', {n: now.jobs.length - now.results.length})}</p>` : nothing}${problems(now.results)}` : nothing}
    ${now.problem ? refusal(now.problem, rest) : nothing}
    <div class="buttons">
      ${now.state === 'runs' ? html`<button type="button" class="button" ?disabled=${now.stopped} @click=${stop}>${t('bulk.stop')}</button>`
    : html`<button type="button" class="button" @click=${close}>${t(now.state === 'ended' ? 'close' : 'cancel')}</button>`}
      ${now.state === 'asks' ? html`<button type="button" class="button primary" @click=${confirm}>${t(`command.${now.command}.do`)}</button>` : nothing}
    </div></dialog>`;
}
