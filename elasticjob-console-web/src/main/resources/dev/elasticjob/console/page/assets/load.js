// How much was executed in a span of time, how late it began, and which instance has done it.
import {html, nothing, svg} from './lit-html.js';
import {moment, number} from './format.js';
import {asOf, lateClass} from './freshness.js';
import {breakable} from './parts.js';
import {t} from './texts.js';
import {length} from './timeline.js';

const WIDTH = 1_000;
const HEIGHT = 48;
// What is smaller can't be seen.
const SHORTEST = 2;

const tenths = (value) => number(Math.round(value * 10) / 10);

export function load(answer) {
  const {data} = answer ?? {};
  if (!data) return nothing;
  const {slices, instances} = data;
  const began = slices.reduce((sum, one) => sum + one.began, 0);
  if (!began && !slices.some((one) => one.executing > 0)) return nothing;
  const most = Math.max(...slices.map((one) => one.executing));
  const failed = slices.reduce((sum, one) => sum + one.failed, 0);
  const latest = Math.max(...slices.map((one) => one.mostLateMillis ?? 0));
  return html`<section class="card chart load part ${lateClass(answer)}" aria-labelledby="load"><header><h2 id="load">${t('load')}</h2>
      <span class="quiet small">${moment(data.from)} – ${moment(data.until)}</span>${asOf(answer)}</header>
    ${data.complete ? nothing : html`<p class="quiet small">${t('load.some')}</p>`}
    <div class="pair">
      ${bars(t('load.executing'), t('load.executing.sum', {most: tenths(most), began: number(began), failed: number(failed)}), slices, most, ({executing}) => executing,
        (one) => t('load.slice', {at: moment(one.at), began: number(one.began), failed: number(one.failed), executing: tenths(one.executing)}), ({failed: bad}) => bad > 0)}
      ${bars(t('load.late'), t('load.late.sum', {most: length(latest)}), slices, latest, ({mostLateMillis}) => mostLateMillis ?? 0,
        (one) => one.mostLateMillis === null ? moment(one.at) : t('load.late.slice', {at: moment(one.at), most: length(one.mostLateMillis), median: length(one.lateMillis)}), () => false)}
    </div>
    ${instances.length > 1 ? byInstance(instances) : nothing}</section>`;
}

function bars(heading, sum, slices, most, value, words, isBad) {
  const step = WIDTH / slices.length;
  return html`<figure><figcaption class="small"><strong>${heading}</strong> <span class="quiet">${sum}</span></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" height=${HEIGHT} preserveAspectRatio="none" aria-hidden="true">${slices.map((one, place) => {
    const tall = value(one) > 0 ? Math.max(SHORTEST, (value(one) / most) * HEIGHT) : 0;
    return svg`<rect class=${isBad(one) ? 'bad' : 'busy'} x=${place * step} width=${step * 0.9} y=${HEIGHT - tall} height=${tall}><title>${words(one)}</title></rect>`;
  })}</svg></figure>`;
}

function byInstance(instances) {
  return html`<details><summary>${t('load.instances', {n: instances.length})}</summary>
    <table class="jobs"><thead><tr><th scope="col">${t('instance')}</th><th scope="col" class="number">${t('load.executing')}</th><th scope="col" class="number">${t('load.began')}</th></tr></thead>
      <tbody>${instances.map((one) => html`<tr><th scope="row" class="name">${one.instance ? breakable(one.instance) : t('unknown')}</th>
        <td class="number" data-label=${t('load.executing')}>${tenths(one.executing)}</td><td class="number" data-label=${t('load.began')}>${number(one.began)}</td></tr>`)}</tbody></table></details>`;
}
