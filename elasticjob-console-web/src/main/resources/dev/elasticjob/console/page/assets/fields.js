// What the settings of a job are on the page: their groups, when they apply, and how their values are written and read.
export const GROUPS = {
  schedule: ['cron', 'every', 'fixedDelay', 'at', 'timeZone', 'calendar', 'moveToNextDay', 'startAt', 'endAt', 'spread', 'after.jobs', 'after.outcome', 'after.window', 'runAtStart', 'misfire', 'catchUp', 'catchUpLimit', 'catchUpWindow', 'misfireThreshold', 'overlap', 'jitter'],
  work: ['description', 'jobType', 'jobClass', 'scriptCommandLine', 'http.uri', 'http.method', 'http.contentType', 'http.body', 'http.headers',
    'http.connectTimeout', 'http.responseTimeout', 'shardingTotalCount', 'shardingItemParameters', 'jobParameter', 'jobProperties', 'streamingProcess'],
  faults: ['timeout', 'retry.maxAttempts', 'retry.delay', 'retry.multiplier', 'retry.maxDelay', 'retry.jitter', 'retry.includes', 'retry.excludes',
    'failover', 'maxFailovers', 'pauseAfterFailures', 'stuckAfter', 'expectWithin'],
  instances: ['runOn', 'weight', 'itemWeights', 'concurrency', 'jobShardingStrategyClass', 'disabled', 'maxTimeDiffSeconds', 'monitorExecution', 'reconcileIntervalMinutes'],
  more: ['clusterListener', 'beforeFirstTimeout', 'afterLastTimeout', 'overwrite', 'monitorPort'],
};

// Of the schedule: when one of them is typed, the next firings are shown.
export const SCHEDULE = ['cron', 'every', 'fixedDelay', 'at', 'timeZone', 'calendar', 'moveToNextDay', 'startAt', 'endAt', 'spread'];

// What a job doesn't store while it has it not, and can have.
const ABSENT = {every: 'PT0S', fixedDelay: 'PT0S', at: '', calendar: '', moveToNextDay: false, startAt: '', endAt: '', spread: 'PT0S', runAtStart: false, 'after.jobs': [], stuckAfter: 'PT0S', expectWithin: 'PT0S', pauseAfterFailures: 0, overlap: 'WAIT', jitter: 'PT0S', catchUp: 'BY_MISFIRE', catchUpLimit: 100, catchUpWindow: 'PT0S', runOn: '', weight: 1, itemWeights: ''};

const DURATIONS = ['every', 'fixedDelay', 'spread', 'jitter', 'catchUpWindow', 'after.window', 'misfireThreshold', 'http.connectTimeout', 'http.responseTimeout', 'timeout', 'retry.delay', 'retry.maxDelay',
  'retry.jitter', 'stuckAfter', 'expectWithin', 'beforeFirstTimeout', 'afterLastTimeout'];

// Values that mean that there is none, or no limit; the key of the word.
const SPECIAL = {
  cron: (value) => value === '' && 'none', at: (value) => value === '' && 'none', startAt: (value) => value === '' && 'none', endAt: (value) => value === '' && 'none',
  every: (value) => value === 'PT0S' && 'none', fixedDelay: (value) => value === 'PT0S' && 'none', spread: (value) => value === 'PT0S' && 'none', jitter: (value) => value === 'PT0S' && 'none', catchUpWindow: (value) => value === 'PT0S' && 'noLimit', calendar: (value) => value === '' && 'none', runOn: (value) => value === '' && 'all', itemWeights: (value) => value === '' && 'none', stuckAfter: (value) => value === 'PT0S' && 'none', expectWithin: (value) => value === 'PT0S' && 'none',
  timeout: (value) => value === 'PT0S' && 'noLimit', beforeFirstTimeout: (value) => value === 'PT0S' && 'noLimit', afterLastTimeout: (value) => value === 'PT0S' && 'noLimit',
  concurrency: (value) => value === 0 && 'noLimit', maxTimeDiffSeconds: (value) => value < 0 && 'noLimit', reconcileIntervalMinutes: (value) => value < 1 && 'never', pauseAfterFailures: (value) => value === 0 && 'never',
};

// What these may be.
const CHOICES = {overlap: ['WAIT', 'SKIP', 'CANCEL_RUNNING'], catchUp: ['BY_MISFIRE', 'FOLD', 'EACH', 'SKIP'], 'after.outcome': ['SUCCESS', 'FAILURE', 'ANY']};

const isText = (value) => typeof value === 'string' && value !== '';
const isLong = (value) => ![undefined, '', '0', 'PT0S'].includes(value);
const fires = (of) => isText(of('cron')) || isLong(of('every'));
export const isDelayed = (of) => isLong(of('fixedDelay'));
const begins = (of) => fires(of) || isDelayed(of);
const hasSchedule = (of) => begins(of) || isText(of('at'));
const isTimed = (of) => hasSchedule(of) && !isDelayed(of);
// What means nothing beside the values of other settings. What isn't here always applies.
const APPLIES = {
  timeZone: (of) => isText(of('cron')) || isText(of('calendar')), calendar: fires, moveToNextDay: (of) => isText(of('calendar')), startAt: begins, endAt: begins, spread: fires, misfire: (of) => !isDelayed(of), misfireThreshold: (of) => !isDelayed(of), runAtStart: (of) => !hasSchedule(of),
  'after.outcome': (of) => of('after.jobs')?.length > 0, 'after.window': (of) => of('after.jobs')?.length > 0,
  overlap: isTimed, jitter: isTimed, catchUp: isTimed, catchUpLimit: (of) => of('catchUp') === 'EACH', catchUpWindow: (of) => of('catchUp') === 'EACH',
  maxFailovers: (of) => of('failover') === true, monitorPort: (of) => of('monitorPort') >= 0,
  ...Object.fromEntries(['delay', 'multiplier', 'maxDelay', 'jitter', 'includes', 'excludes'].map((name) => [`retry.${name}`, (of) => !(of('retry.maxAttempts') <= 1)])),
};

export function applies(name, of) {
  return APPLIES[name]?.(of) ?? true;
}

export function choices(name) {
  return CHOICES[name] ?? [];
}

export function special(name, value) {
  return SPECIAL[name]?.(value) || null;
}

export function isDuration(name) {
  return DURATIONS.includes(name);
}

// The settings by name; a dot leads into a group. Lists and empty groups are one value.
export function flat(settings, prefix = '') {
  const found = {};
  for (const [name, value] of Object.entries(settings)) {
    const group = value && typeof value === 'object' && !Array.isArray(value) && !['jobProperties', 'headers'].includes(name) && Object.keys(value).length > 0;
    if (group) Object.assign(found, flat(value, `${prefix}${name}.`));
    else found[prefix + name] = value;
  }
  return found;
}

// The same with those that the job could have.
export function fieldsOf(settings) {
  const present = flat(settings);
  const absent = Object.entries(ABSENT).filter(([name]) => !(name in present) && !(name.split('.')[0] in present));
  return {...Object.fromEntries(absent), ...present};
}

// In the order of the page: groups of names. What the page doesn't know is in the last one.
export function grouped(names) {
  const known = Object.values(GROUPS).flat();
  const other = names.filter((name) => !known.includes(name));
  return Object.entries(GROUPS)
    .map(([group, all]) => [group, [...all.filter((name) => names.includes(name)), ...(group === 'more' ? other : [])]])
    .filter(([, some]) => some.length > 0);
}

export function text(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const isMap = (value) => value && typeof value === 'object' && !Array.isArray(value);
// One line for each entry says the same.
const isPlain = (map) => Object.entries(map).every(([key, value]) => typeof value === 'string' && key.trim() === key && !/[=\n]/.test(key) && !/^{/.test(key) && !/\n/.test(value));

// How a value is written in its field: durations as people write them, lists with commas, an entry of a map a line.
export function written(name, value) {
  if (isDuration(name)) return short(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes(','))) return value.join(', ');
  if (isMap(value) && isPlain(value)) return Object.entries(value).map(([key, one]) => `${key}=${one}`).join('\n');
  return text(value);
}

function short(iso) {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(iso);
  if (!found) return text(iso);
  const seconds = Number(found[1] ?? 0) * 3_600 + Number(found[2] ?? 0) * 60 + Number(found[3] ?? 0);
  const [unit, size] = [['h', 3_600], ['m', 60], ['s', 1]].find(([, length]) => seconds % length === 0);
  return seconds === 0 ? '0' : seconds / size + unit;
}

// What the text of a field means. A text that can't be understood goes as it is, and the answer says what is wrong.
export function valueOf(before, typed) {
  if (typeof before === 'boolean') return typed === 'true';
  if (typeof before === 'number') return /^-?\d+$/.test(typed.trim()) ? Number(typed) : typed;
  if (Array.isArray(before)) return /^\s*\[/.test(typed) ? parsed(typed) : typed.split(/[,\n]/).map((one) => one.trim()).filter(Boolean);
  if (isMap(before)) return /^\s*{/.test(typed) ? parsed(typed) : entries(typed);
  // Of what can't be used, only its text shows that it is a group.
  if (before === null && /^\s*[[{]/.test(typed)) return parsed(typed);
  return typed;
}

function parsed(typed) {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

function entries(typed) {
  const lines = typed.split('\n').filter((line) => line.trim());
  if (!lines.every((line) => line.indexOf('=') > 0)) return typed;
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]));
}

// Only what differs, in groups again. A property that is gone is null.
export function patch(before, typed) {
  const changes = {};
  for (const [name, value] of Object.entries(before)) {
    if (!isTyped(before, typed, name)) continue;
    const path = name.split('.');
    const last = path.pop();
    let group = changes;
    for (const part of path) group = group[part] ??= {};
    group[last] = differing(value, valueOf(value, typed[name]));
  }
  return changes;
}

export function isTyped(before, typed, name) {
  return name in typed && typed[name] !== written(name, before[name]);
}

// Of a map, what stays isn't sent: it may be a mask.
function differing(before, now) {
  if (!isMap(before) || !isMap(now)) return now;
  const gone = Object.keys(before).filter((key) => !(key in now)).map((key) => [key, null]);
  const other = Object.entries(now).filter(([key, value]) => !(key in before) || text(value) !== text(before[key]));
  return Object.fromEntries([...gone, ...other]);
}
