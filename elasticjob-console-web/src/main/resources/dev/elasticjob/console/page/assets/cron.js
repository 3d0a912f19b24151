// Cron expressions in words: those of ordinary shapes. What isn't one is left to the next firings, and never guessed.
import {language, t} from './texts.js';

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const ANY = ['*', '?'];
const number = (field) => (/^\d{1,2}$/.test(field) ? Number(field) : null);

// Of fields that begin again evenly: every so many of the unit, from a first one.
function step(field, of) {
  const found = /^(\*|\d{1,2})\/(\d{1,2})$/.exec(field);
  const every = found && Number(found[2]);
  return every > 1 && of % every === 0 && (found[1] === '*' || Number(found[1]) === 0) ? every : null;
}

// Empty if it has another shape.
export function inWords(cron) {
  const fields = cron.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 6) return '';
  const [second, minute, hour, ...rest] = fields;
  // What nothing can be said of is refused where the change is reviewed.
  if ([second, minute].some((field) => isAbove(field, 59)) || isAbove(hour, 23)) return '';
  const days = onDays(rest);
  const time = atTime(second, minute, hour);
  if (days === null || !time) return '';
  // Several times a day need no "every day".
  if (days.every) return time.several ? time.words : t('cron.daily', {time: time.words});
  return t('cron.on', {days: days.words, time: time.words});
}

function isAbove(field, most) {
  return (field.match(/\d+/g) ?? []).some((one) => Number(one) > most);
}

function atTime(second, minute, hour) {
  const several = (key, n) => ({several: true, words: t(key, {n})});
  if (ANY.includes(hour) && ANY.includes(minute)) {
    if (second === '*') return several('cron.everySecond', 1);
    if (number(second) === 0) return several('cron.everyMinute', 1);
    return step(second, 60) && several('cron.seconds', step(second, 60));
  }
  if (number(second) !== 0) return null;
  if (hour === '*' && step(minute, 60)) return several('cron.minutes', step(minute, 60));
  if (hour === '*' && number(minute) !== null) return {several: true, words: t('cron.hourly', {time: clock('…', minute)})};
  if (step(hour, 24) && number(minute) !== null) return {several: true, words: t('cron.hours', {n: step(hour, 24), time: clock('00', minute)})};
  const hours = hour.split(',').map(number);
  if (hours.includes(null) || number(minute) === null) return null;
  return {several: false, words: list(hours.map((one) => clock(String(one).padStart(2, '0'), minute)))};
}

function clock(hour, minute) {
  return `${hour}:${String(Number(minute)).padStart(2, '0')}`;
}

function list(words) {
  return new Intl.ListFormat(language, {type: 'conjunction'}).format(words);
}

// Which days: every day, some of the week, or one of the month. Null if that isn't ordinary.
function onDays([day, month, weekday]) {
  if (ANY.includes(day) && month === '*' && ANY.includes(weekday)) return {every: true};
  if (ANY.includes(day) && month === '*') return ofWeek(weekday);
  if (!ANY.includes(weekday)) return null;
  if (day === 'L' && month === '*') return {words: t('cron.lastDay')};
  if (number(day) === null) return null;
  if (month === '*') return {words: t('cron.dayOfMonth', {n: number(day)})};
  const place = number(month) ?? MONTHS.indexOf(month) + 1;
  if (place < 1 || place > 12) return null;
  const date = new Date(Date.UTC(2024, place - 1, number(day)));
  return {words: new Intl.DateTimeFormat(language, {day: 'numeric', month: 'long', timeZone: 'UTC'}).format(date)};
}

// Weekdays by their names only: numbers mean other days in other cron dialects.
function ofWeek(weekday) {
  const name = (place) => new Intl.DateTimeFormat(language, {weekday: 'long', timeZone: 'UTC'}).format(new Date(Date.UTC(2024, 0, 7 + place)));
  const range = /^([A-Z]{3})-([A-Z]{3})$/.exec(weekday);
  if (range && range.slice(1).every((day) => DAYS.includes(day))) return {words: t('cron.range', {from: name(DAYS.indexOf(range[1])), to: name(DAYS.indexOf(range[2]))})};
  const days = weekday.split(',');
  return days.every((day) => DAYS.includes(day)) ? {words: list(days.map((day) => name(DAYS.indexOf(day))))} : null;
}
