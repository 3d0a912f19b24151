// What goes on in a job beside its items: open firings, a backfill, and the last commands.
import {html, nothing} from './lit-html.js';
import {button} from './commands.js';
import {moment} from './format.js';
import {when} from './parts.js';
import {count, t} from './texts.js';

const MOST_TIMES = 5;

export function backfill(present, act) {
  if (!present) return nothing;
  const {actor, next, until, underWay, failed, failedTimes} = present;
  return html`<section class="banner ${failed ? 'bad' : 'warn'} backfill" aria-label=${t('backfill')}>
    <p><strong>${t('backfill.by', {actor: actor || t('unknown'), until: moment(until)})}</strong>
      ${next ? t('backfill.next', {time: moment(next)}) : t('backfill.allBegun')}
      ${underWay.length ? html`${count('backfill.underWay', underWay.length)} ${times(underWay)}` : nothing}
      ${failed ? html`${count('backfill.failed', failed)} ${times(failedTimes)}` : nothing}</p>
    ${act ? button(act, {kind: 'stopBackfill'}) : nothing}</section>`;
}

function times(all) {
  return `(${all.slice(0, MOST_TIMES).map((time) => moment(time)).join(', ')}${all.length > MOST_TIMES ? ' …' : ''})`;
}

export function openFirings(firings) {
  if (!firings.length) return nothing;
  return html`<h2 class="section">${t('open')}</h2><div class="card"><table class="open">
    <thead><tr>${['open.firing', 'open.phase', 'condition.since', 'open.unfinished', 'instance'].map((key) => html`<th scope="col">${t(key)}</th>`)}</tr></thead>
    <tbody>${firings.map((one) => html`<tr>
      <th scope="row">${one.scheduledAt ? when(one.scheduledAt) : html`<code>${one.runId}</code>`}</th>
      <td>${t('phase.' + one.phase)}${one.refused ? html`<p class="problem" lang="en">${one.refused}</p>` : nothing}</td>
      <td>${when(one.since)}</td><td>${one.unfinished || '–'}</td>
      <td>${one.instance ?? '–'}${one.attempt > 1 ? html` <span class="quiet">${t('open.attempt', {n: one.attempt})}</span>` : nothing}</td></tr>`)}</tbody></table></div>`;
}

export function lastCommands({commands}) {
  if (!commands.length) return html`<section class="empty"><h2>${t('commands.none')}</h2></section>`;
  return html`<p class="quiet">${t('commands.kept')}</p><div class="card"><table class="commands">
    <thead><tr>${['commands.at', 'commands.actor', 'commands.command', 'conflict.before', 'commands.outcome'].map((key) => html`<th scope="col">${t(key)}</th>`)}</tr></thead>
    <tbody>${commands.map((one) => html`<tr><td>${when(one.at)}</td>
      <th scope="row">${one.actor || t('unknown')}${one.reason ? html`<p class="quiet small">${one.reason}</p>` : nothing}</th>
      <td lang="en">${one.command}</td><td lang="en">${one.before}</td><td lang="en">${one.outcome}</td></tr>`)}</tbody></table></div>`;
}
