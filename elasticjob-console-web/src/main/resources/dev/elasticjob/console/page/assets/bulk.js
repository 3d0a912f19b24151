// One command for several jobs: chosen in the list, ten at a time, with a result for each; it can be stopped.
import {html, nothing} from './lit-html.js';
import {send} from './api.js';
import {newId} from './commands.js';
import {list, marks, placed, refusal, showProblem} from './forms.js';
import {segment} from './route.js';
import {count, t} from './texts.js';

const MOST = 500;
const TOGETHER = 10;
const COMMANDS = ['reshard', 'pause', 'resume', 'disable', 'enable', 'run'];

let chosen = new Set();
let asked = null; // the command in the dialog: its preview, its results, and whether it was stopped

export function forget() {
  chosen = new Set();
}

export function box(name, draw) {
  const change = (event) => {
    if (event.target.checked && chosen.size < MOST) chosen.add(name);
    else chosen.delete(name);
    draw();
  };
  return html`<input type="checkbox" aria-label=${t('bulk.choose', {job: name})} .checked=${chosen.has(name)} @change=${change}>`;
}

export function boxOfAll(names, draw) {
  const all = names.length > 0 && names.every((name) => chosen.has(name));
  const change = () => {
    for (const name of names) {
      if (all) chosen.delete(name);
      else if (chosen.size < MOST) chosen.add(name);
    }
    draw();
  };
  return html`<input type="checkbox" aria-label=${t('bulk.chooseAll')} .checked=${all} @change=${change}>`;
}

export function bar(registry, session, draw) {
  if (chosen.size === 0) return nothing;
  const none = () => {
    forget();
    draw();
  };
  return html`<div class="banner bulk" role="region" aria-label=${t('bulk')}><strong>${count('bulk.chosen', chosen.size)}</strong>
    <span class="actions">${COMMANDS.map((command) => html`<button type="button" class="button" @click=${() => ask(command, registry, session, draw)}>${t(`command.${command}.do`)}</button>`)}
      <button type="button" class="link" @click=${none}>${t('bulk.none')}</button></span></div>`;
}

async function ask(command, registry, session, draw) {
  const now = {command, registry, jobs: [...chosen].sort(), runId: newId(), preview: [], results: [], stopped: false, state: 'previews', problem: null};
  asked = now;
  await inTens(now, now.preview, '?dryRun=true', '', session, draw);
  now.state = 'asks';
  draw();
}

// Ten in one request; between two of them, it can be stopped.
async function inTens(now, results, query, reason, session, draw) {
  draw();
  for (let from = 0; from < now.jobs.length && asked === now && !now.stopped; from += TOGETHER) {
    const body = {command: now.command, jobs: now.jobs.slice(from, from + TOGETHER), runId: now.command === 'run' ? now.runId : undefined, reason: reason || undefined};
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
  draw();
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
  const close = () => {
    now.stopped = true;
    if (asked === now) asked = null;
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
    <h2 id="asked">${t('bulk.' + now.command, {n: now.jobs.length})}</h2>
    <p class="quiet">${t('command.inAll', {place})}</p>
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
