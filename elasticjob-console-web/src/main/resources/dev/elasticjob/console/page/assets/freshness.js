// How old each part of the page is, which is older than it should be, and when it is asked for again.
import {html, nothing} from './lit-html.js';
import {distance, moment} from './format.js';
import {again, problemText} from './parts.js';
import {t} from './texts.js';

// Sources that are asked less often have a limit of their own.
const LATE = 5_000;
// How a source of the trace is watched: the trace is asked every three seconds, and an answer comes with each.
export const TRACED = {pause: 1_000, wait: 1};

export function age(answer) {
  return answer.age + performance.now() - answer.receivedAt;
}

// That there is no such thing is an answer too.
export function isLate(answer) {
  if (!answer) return false;
  if (answer.problem) return answer.problem.status !== 404;
  return Boolean(answer.data) && age(answer) > limit(answer);
}

// Of some, the answer says how often it is read.
function limit({late, data}) {
  return typeof late === 'function' ? late(data) : late ?? LATE;
}

// The reader's clock may differ from the server's: only the age counts.
function old(answer) {
  return distance(new Date(Date.now() - age(answer)).toISOString());
}

// The database of the trace is not the registry: what is wrong with it is said at its own parts.
export function isOfPart(problem) {
  return problem?.code === 'HISTORY_AWAY';
}

function why({problem}) {
  return isOfPart(problem) ? html` <strong role="alert">${problemText(problem)}</strong> ${again(problem)}` : nothing;
}

// As of when a part is.
export function asOf(answer) {
  if (!answer?.data || !answer.readAt) return nothing;
  if (!isLate(answer)) return html`<p class="asof quiet">${t('fresh', {time: moment(answer.readAt)})}</p>`;
  return html`<p class="asof stale"><span class="dot" aria-hidden="true"></span>${t('stale', {time: old(answer)})}${why(answer)}</p>`;
}

// The same of something inside of a part, which is said only if it isn't as it should be.
export function lateOnly(name, answer) {
  if (!isLate(answer)) return nothing;
  return html`<p class="asof stale"><span class="dot" aria-hidden="true"></span>${name}: ${
    answer.data ? t('stale', {time: old(answer)}) : t('unknown')}${why(answer)}</p>`;
}

export function lateClass(...all) {
  return all.some(isLate) ? 'late' : '';
}

export function part(answer, content) {
  return html`<div class="part ${lateClass(answer)}">${asOf(answer)}${content}</div>`;
}

function oldest(all) {
  return all.filter((one) => one?.data && one.readAt).reduce((old, one) => (!old || age(one) > age(old) ? one : old), null);
}

// Of the whole page: no more than is true of each of its parts.
export function ofAll(all) {
  const first = oldest(all);
  if (!first) return nothing;
  const late = all.filter(isLate);
  const unknown = all.some((one) => !one?.data && !one?.problem);
  const lateOnes = oldest(late);
  const text = lateOnes ? t('fresh.late', {time: old(lateOnes)}) : late.length ? t('fresh.missing') : t('fresh', {time: moment(first.readAt)});
  return html`<span class="fresh ${late.length ? 'stale' : unknown ? 'waiting' : ''}"><span class="dot" aria-hidden="true"></span>${text}</span>`;
}

// What is wrong with the application or the registry concerns the whole page.
export function banner(answers) {
  const failing = answers.filter(({data, problem}) => data && problem && problem.status !== 404 && !isOfPart(problem));
  if (!failing.length) return nothing;
  const {problem} = failing[0];
  const last = oldest(failing);
  return html`<div class="banner warn"><span role="alert"><strong>${problemText(problem)}</strong></span>
    ${last ? html` ${t('banner.lastPicture', {time: moment(last.readAt)})}` : nothing}
    ${problem.code === 'NOT_AUTHENTICATED' ? html` <a href=${location.href}>${t('signIn')}</a>` : again(problem)}</div>`;
}
