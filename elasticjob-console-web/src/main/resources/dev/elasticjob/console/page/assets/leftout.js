// What a job's calendar leaves out of its firings, or moves.
import {html, nothing} from './lit-html.js';
import {moment, number} from './format.js';
import {count} from './texts.js';

// Further ones aren't counted.
const MOST_LEFT_OUT = 1_000;

// What the calendar leaves out is one row between two firings, however much it is.
export function withLeftOut({times, leftOut}) {
  const all = [...times.map((time) => ({time})), ...leftOut.map((one) => ({...one, n: 1}))].sort((one, other) => (one.time < other.time ? -1 : 1));
  return all.reduce((rows, one) => {
    const before = rows.at(-1);
    if (!one.n || !before?.n || !one.movedTo !== !before.movedTo) return [...rows, one];
    return [...rows.slice(0, -1), {...before, last: one.time, n: before.n + 1}];
  }, []);
}

export function leftOut({n, movedTo}) {
  if (!n) return nothing;
  const values = {time: movedTo ? moment(movedTo) : '', ...(n === MOST_LEFT_OUT && {n: `${number(n)}+`})};
  return html` <span class="small">${count(movedTo ? 'firing.moved' : 'firing.leftOut', n, values)}</span>`;
}

export function span(time, last, zone) {
  return last ? `${moment(time, zone)} – ${moment(last, zone)}` : moment(time, zone);
}
