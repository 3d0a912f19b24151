// One firing as time went: which instance executed which item when, what failed, and what took longest.
import {html, nothing, svg} from './lit-html.js';
import {full, lasted, moment, number} from './format.js';
import {breakable, chip, fact, failed, loading, look, when} from './parts.js';
import {href} from './route.js';
import {has, t} from './texts.js';

const WIDTH = 1_000;
const LINE = 12;
const BAR = 9;
// A bar that is shorter can't be seen.
const SHORTEST = 3;
const QUARTERS = [0.25, 0.5, 0.75];
const ROWS = 20;
const MOST_ROWS = 1_000;
// The worst of a firing's outcomes is what a person wants to know of it.
const WORST = ['FAILED', 'TIMEOUT', 'INTERRUPTED', 'LOST', 'CANCELLED', 'RUNNING', 'COMPLETED'];

let whole = ''; // the firing of which all rows are shown

const time = (iso) => Date.parse(iso);
// How long an execution or a firing took; null if it has not begun, or has no end.
const took = ({startedAt, endedAt}) => (startedAt && endedAt ? time(endedAt) - time(startedAt) : null);

function medianOf(lengths) {
  return lengths.length ? [...lengths].sort((one, other) => one - other)[Math.floor((lengths.length - 1) / 2)] : null;
}

// What of a firing is counted. An execution without an end goes on until now.
export function measured({scheduledAt, executions}, now) {
  const ran = executions.filter((one) => one.startedAt).map((one) => ({...one, from: time(one.startedAt), to: one.endedAt ? time(one.endedAt) : Math.max(now, time(one.startedAt))}));
  const latest = new Map();
  for (const one of executions) if (!(latest.get(one.item)?.attempt > one.attempt)) latest.set(one.item, one);
  const outcomes = [...latest.values()].map(({outcome}) => outcome);
  const first = ran.length ? Math.min(...ran.map(({from}) => from)) : null;
  const last = ran.length ? Math.max(...ran.map(({to}) => to)) : null;
  return {
    ran, first, last, items: latest.size,
    completed: outcomes.filter((one) => one === 'COMPLETED').length,
    outcome: WORST.find((one) => outcomes.includes(one)) ?? outcomes[0],
    goesOn: ran.some((one) => !one.endedAt),
    late: first === null ? 0 : first - time(scheduledAt),
    median: medianOf(ran.flatMap((one) => took(one) ?? [])),
  };
}

// Of each instance, its executions in lines: what ran at the same time stands below each other.
export function lanes(ran) {
  const found = new Map();
  for (const one of [...ran].sort((a, b) => a.from - b.from || a.item - b.item)) {
    const lines = found.get(one.instance ?? '') ?? [];
    found.set(one.instance ?? '', lines);
    const line = lines.find((bars) => bars.at(-1).to <= one.from);
    if (line) line.push(one);
    else lines.push([one]);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([instance, lines]) => ({instance, lines}));
}

// ------------------------------------------------------------------ on the page

export function firing(route, answer, open, draw) {
  const {data, problem} = answer ?? {};
  const close = html`<a class="close" href=${href({...route, firing: ''})} aria-label=${t('close')}>✕</a>`;
  if (!data) return html`<section class="card panel firing" aria-label=${t('open.firing')}><header><h2>${t('open.firing')}</h2>${close}</header>${problem ? failed(problem) : loading()}</section>`;
  const all = measured(data, Date.now());
  return html`<section class="card panel firing" aria-label=${t('open.firing')}><header><h2 title=${full(data.scheduledAt)}>${t('open.firing')} ${moment(data.scheduledAt)}</h2>
      ${data.complete ? chip('outcome', all.outcome) : nothing}${close}</header>
    <dl class="facts">${fact(t('last.runId'), html`<code>${data.runId}</code>`)}
      ${data.complete ? fact(t('firing.completed'), t('firing.of', {n: number(all.completed), of: number(all.items)})) : nothing}
      ${all.first === null ? nothing : html`${fact(t('last.startedAt'), html`${when(iso(all.first))}${all.late > 0 ? html` <span class="quiet">· ${t('firing.late', {time: length(all.late)})}</span>` : nothing}`)}
      ${fact(t(all.goesOn ? 'firing.goesOn' : 'last.lasted'), length(all.last - all.first))}`}
      ${all.median === null || !data.complete ? nothing : fact(t('firing.median'), length(all.median))}</dl>
    ${data.complete ? nothing : html`<p class="banner warn">${t('firing.some', {n: number(data.executions.length)})}</p>`}
    ${all.ran.length ? picture(all, data.runId, open) : nothing}
    ${table(route, data, all, open, draw)}</section>`;
}

const iso = (millis) => new Date(millis).toISOString();

export function length(millis) {
  return lasted(iso(0), iso(Math.max(0, millis)));
}

// From the scheduled time, unless that would leave no room for what ran.
function picture({ran, first, last, late}, run, open) {
  const from = late > 0 && late <= last - first ? first - late : first;
  const scale = WIDTH / Math.max(1, last - from);
  const at = (millis) => Math.round((millis - from) * scale * 10) / 10;
  return html`<div class="timeline" aria-hidden="true">${lanes(ran).map(({instance, lines}) => html`<p class="small name">${instance ? breakable(instance) : t('unknown')}</p>
      <svg viewBox="0 0 ${WIDTH} ${lines.length * LINE}" height=${lines.length * LINE} preserveAspectRatio="none">
        ${QUARTERS.map((part) => svg`<line x1=${part * WIDTH} x2=${part * WIDTH} y1="0" y2=${lines.length * LINE}></line>`)}
        ${lines.map((bars, line) => bars.map((one) => svg`<rect class=${look(one.outcome)[0]} x=${Math.min(at(one.from), WIDTH - SHORTEST)} y=${line * LINE + 1} height=${BAR}
          width=${Math.max(SHORTEST, at(one.to) - at(one.from))} @click=${() => open(run, one.item)}><title>${words(one)}</title></rect>`))}</svg>`)}
    <p class="axis small quiet"><span>${moment(iso(from))}</span>${QUARTERS.map((part) => html`<span>+${length(part * (last - from))}</span>`)}<span>${moment(iso(last))}</span></p></div>`;
}

function words(one) {
  return `${t('item', {n: one.item})}, ${has('outcome.' + one.outcome) ? t('outcome.' + one.outcome) : t('unknown')}, ${length(one.to - one.from)}`;
}

// What failed or did not run comes first, then what took longest.
export function ordered(executions, now) {
  const bad = ({outcome}) => (['bad', 'warn'].includes(look(outcome)[0]) ? 0 : 1);
  const so = (one) => took(one) ?? (one.startedAt ? now - time(one.startedAt) : 0);
  return [...executions].sort((one, other) => bad(one) - bad(other) || so(other) - so(one) || one.item - other.item || one.attempt - other.attempt);
}

function table(route, {runId, executions}, {median}, open, draw) {
  const rows = ordered(executions, Date.now());
  const shown = whole === runId ? rows.slice(0, MOST_ROWS) : rows.slice(0, ROWS);
  const all = () => {
    whole = runId;
    draw();
  };
  return html`<table class="jobs executions"><thead><tr>${['items', 'history.outcome', 'last.startedAt', 'last.lasted', 'instance'].map((head) => html`<th scope="col">${t(head)}</th>`)}</tr></thead>
      <tbody>${shown.map((one) => row(one, median, () => open(runId, one.item)))}</tbody></table>
    ${shown.length < rows.length ? html`<p class="pages"><button type="button" class="button" @click=${all}>${t('firing.all', {n: number(rows.length)})}</button></p>` : nothing}`;
}

function row(one, median, open) {
  const lasts = took(one);
  const times = lasts !== null && median > 0 && lasts >= 2 * median ? t('firing.times', {n: number(Math.round(lasts / median))}) : '';
  return html`<tr><th scope="row"><button type="button" class="link" @click=${open}>${t('item', {n: one.item})}</button>${one.attempt > 1 ? html` <span class="quiet small">${t('last.attempt')} ${one.attempt}</span>` : nothing}
      ${one.failure ? html`<p class="problem" lang="en">${one.failure}</p>` : nothing}</th>
    <td>${chip('outcome', one.outcome)}</td>
    <td data-label=${t('last.startedAt')}>${one.startedAt ? moment(one.startedAt) : '–'}</td>
    <td data-label=${t('last.lasted')}>${lasts === null ? '–' : length(lasts)} ${times ? html`<span class="quiet small">${times}</span>` : nothing}</td>
    <td data-label=${t('instance')} class="name">${one.instance ? breakable(one.instance) : '–'}</td></tr>`;
}

// ------------------------------------------------------------------ the latest firings, each as long as it took

const HEIGHT = 60;

export function chart(route, answer) {
  const ends = [...(Object.hasOwn(answer?.data?.jobs ?? {}, route.job) ? answer.data.jobs[route.job] : [])].reverse();
  const longest = Math.max(0, ...ends.map((one) => took(one) ?? 0));
  if (ends.length < 2 || !longest) return nothing;
  const bad = ends.filter((one) => look(one.outcome)[0] === 'bad').length;
  const step = WIDTH / ends.length;
  const median = medianOf(ends.flatMap((one) => took(one) ?? []));
  return html`<figure class="card chart"><figcaption class="small"><strong>${t('chart', {n: ends.length})}</strong>
      <span class="quiet">${t('chart.sum', {good: ends.length - bad, of: ends.length, median: length(median), longest: length(longest)})}</span></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" height=${HEIGHT} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2=${WIDTH} y1=${HEIGHT - (HEIGHT * median) / longest} y2=${HEIGHT - (HEIGHT * median) / longest}></line>
      ${ends.map((one, place) => {
    const tall = Math.max(SHORTEST, ((took(one) ?? 0) / longest) * HEIGHT);
    return svg`<a href=${href({...route, firing: one.runId})} tabindex="-1"><rect class=${look(one.outcome)[0]} x=${place * step + step * 0.1} width=${step * 0.8} y=${HEIGHT - tall} height=${tall}><title>${
      moment(one.scheduledAt)}, ${has('outcome.' + one.outcome) ? t('outcome.' + one.outcome) : t('unknown')}${took(one) === null ? '' : ', ' + length(took(one))}</title></rect></a>`;
  })}</svg></figure>`;
}
