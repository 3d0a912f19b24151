// All registries together: how each of them is. Each is asked for itself, so that one that is down delays no other.
import {html, nothing} from './lit-html.js';
import {subject} from './attention.js';
import {moment} from './format.js';
import {asOf, isLate, lateClass} from './freshness.js';
import {again, chip, look, problemText, sentence, sign, swept} from './parts.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

const TIMES = {pause: 10_000, late: 25_000};

function keyOf(name) {
  return 'registry/' + name;
}

export function sources({registries}) {
  return registries.map(({name}) => ({key: keyOf(name), path: `registries/${segment(name)}/attention?most=1`, ...TIMES}));
}

export function title() {
  return t('registries');
}

// Nothing is known to be well that doesn't answer now, or has not been read whole.
function conditionOf(answer) {
  if (!answer?.data && !answer?.problem) return 'asked';
  if (answer.problem || isLate(answer)) return 'unknown';
  if (answer.data.total) return 'found';
  return answer.data.swept.complete ? 'healthy' : 'reading';
}

export function news(answers, {registries}) {
  const all = registries.map(({name}) => conditionOf(answers[keyOf(name)]));
  const some = (...which) => all.filter((one) => which.includes(one)).length;
  return t('registries.sum', {of: all.length, healthy: some('healthy'), found: some('found'), unknown: some('asked', 'reading', 'unknown')});
}

export function view(route, answers) {
  return html`<header class="head"><h1 tabindex="-1">${t('registries')}</h1><p class="quiet">${news(answers, route)}</p></header>
    <div class="card"><table class="jobs findings">
      <thead><tr><th scope="col">${t('jobs.condition')}</th><th scope="col">${t('registry')}</th></tr></thead>
      <tbody>${route.registries.map((one) => row({...route, registry: one.name}, one, answers[keyOf(one.name)]))}</tbody></table></div>`;
}

// An address that names a screen or a job, but no registry, goes on to that.
function row(route, {namespace, mode}, answer) {
  const condition = conditionOf(answer);
  return html`<tr class=${lateClass(answer)}><td data-label=${t('jobs.condition')}>${signs(condition, answer)}</td>
    <th scope="row"><a class="name" href=${href(route)}>${route.registry} · ${namespace}</a>
      ${mode === 'READ_ONLY' ? html`<span class="badge">${t('registry.readOnly')}</span>` : nothing}
      ${answer?.data && condition !== 'unknown' ? html`${worst(route, answer.data)}<div class="small">${swept(answer.data.swept)}${asOf(answer)}</div>` : nothing}
      ${answer?.problem ? html`<p class="small">${problemText(answer.problem)} ${again(answer.problem)}</p>` : nothing}</th></tr>`;
}

function signs(condition, answer) {
  switch (condition) {
    case 'found': return severities(answer.data.kinds);
    case 'healthy': return chip('condition', 'HEALTHY');
    case 'reading': return sign('WAITS', t('attention.noneYet'));
    case 'asked': return sign('WAITS', t('loading'));
    default: return sign('UNKNOWN', t('registries.unknown', {since: answer.readAt ? moment(answer.readAt) : ''}));
  }
}

// How many of each severity: that of a kind is its colour.
function severities(kinds) {
  const numbers = {bad: 0, warn: 0};
  for (const [kind, number] of Object.entries(kinds)) numbers[look(kind)[0]] += number;
  return html`<span class="badges">${[['bad', 'FAILED'], ['warn', 'PROBLEM']].map(([tone, state]) => (numbers[tone] ? sign(state, count('registries.' + tone, numbers[tone])) : nothing))}</span>`;
}

function worst(route, {findings: [finding]}) {
  if (!finding) return nothing;
  return html`<p class="small">${t('finding.' + finding.kind)}: ${subject(route, finding)}</p><p class="quiet small">${sentence('fact', finding.fact)}</p>`;
}
