// Times and names as people read them.
import {language, t} from './texts.js';

const UNITS = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];

// To make one takes longer than to use it a hundred times, and a page of firings has thousands of times.
const formats = new Map();

function format(locale, options) {
  const key = locale + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options));
  return formats.get(key);
}

export function relative(iso, now = Date.now()) {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[3];
  const distance = unit === 'day' ? days(now, iso) : Math.trunc(seconds / size);
  return new Intl.RelativeTimeFormat(language, {numeric: 'auto', style: 'short'}).format(distance, unit);
}

// Tomorrow is the next day of the calendar, whatever the time of day.
function days(from, to) {
  const noon = (time) => new Date(time).setHours(12, 0, 0, 0);
  return Math.round((noon(to) - noon(from)) / 86_400_000);
}

// The same distance in one unit, without a direction.
export function distance(iso, now = Date.now()) {
  const seconds = Math.abs(Math.round((Date.parse(iso) - now) / 1000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return amount(Math.trunc(seconds / size), unit);
}

function amount(number, unit) {
  return new Intl.NumberFormat(language, {style: 'unit', unit, unitDisplay: 'short'}).format(number);
}

export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}

export function percent(share) {
  return new Intl.NumberFormat(language, {style: 'percent'}).format(share);
}

// A period as people say it: "PT1H30M" is 1 hr 30 min. What isn't one stays as it is.
export function period(iso) {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(iso);
  if (!found) return iso;
  return ['hour', 'minute', 'second'].map((unit, place) => found[place + 1] && amount(Number(found[place + 1]), unit)).filter(Boolean).join(' ');
}

// The date only where it is not today's.
export function moment(iso, zone, more = {}) {
  const time = new Date(iso);
  const options = {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: zone};
  const day = (date) => format('sv', {timeZone: zone}).format(date);
  if (day(time) !== day(new Date())) Object.assign(options, {year: 'numeric', month: 'short', day: 'numeric'});
  return format(language, {...options, ...more}).format(time);
}

// With the day of the week, for schedules.
export function momentOfWeek(iso) {
  return moment(iso, undefined, {weekday: 'short', year: 'numeric', month: 'short', day: 'numeric'});
}

// The day and the time of day, for tables whose heads say each day once. Seconds only where there are some.
export function dayAndTime(iso) {
  const time = new Date(iso);
  const seconds = time.getSeconds() ? {second: '2-digit'} : {};
  return [
    // Characters of Chinese are upright where other text is turned, so its month is a number too.
    format(language, {month: language === 'zh' ? 'numeric' : 'short', day: 'numeric'}).format(time),
    format(language, {hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...seconds}).format(time),
  ];
}

export function full(iso, zone) {
  const options = {dateStyle: 'full', timeStyle: 'long', timeZone: zone};
  return format(language, options).format(new Date(iso));
}

export function isZone(zone) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', {timeZone: zone}));
  } catch {
    return false;
  }
}

export function lasted(from, to) {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!(seconds >= 0)) return '';
  if (seconds < 1) return t('milliseconds', {n: Math.round(seconds * 1000)});
  if (seconds < 10) return t('seconds', {n: new Intl.NumberFormat(language, {maximumFractionDigits: 1}).format(seconds)});
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = Math.floor(seconds % 60);
  const parts = [hours && t('hours', {n: hours}), minutes && t('minutes', {n: minutes}), !hours && rest && t('seconds', {n: rest})];
  return parts.filter(Boolean).join(' ');
}
