// The sentences of the page, in the reader's language. The API has codes only.
const LANGUAGES = ['en', 'zh'];
const FILES = ['', 'sentences-', 'settings-'];
// Left out, with what is in the brackets, if the value in it is empty.
const OPTIONAL = /\[([^[\]{}]*)\{(\w+)\}([^[\]{}]*)\]/g;
const KEPT = 'elasticjob.language';

export let language = chosen();
let texts = {};

// Before anything is shown. Only what is read is fetched; fails, and changes nothing, if it can't be had.
export async function load(name = language) {
  const parts = await Promise.all(FILES.map((file) => import(`./${file}${name}.js`)));
  texts = Object.assign({}, ...parts.map((part) => part.default));
  language = name;
}

function chosen() {
  const kept = localStorage.getItem(KEPT);
  if (LANGUAGES.includes(kept)) return kept;
  return navigator.languages.map((name) => name.slice(0, 2)).find((name) => LANGUAGES.includes(name)) ?? 'en';
}

export async function choose(name) {
  await load(name);
  localStorage.setItem(KEPT, name);
}

export function has(key) {
  return key in texts;
}

export function t(key, values = {}) {
  const text = texts[key] ?? key;
  const whole = text.replace(OPTIONAL, (all, before, name, after) => (values[name] ? `${before}{${name}}${after}` : ''));
  return whole.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

// English has two forms for numbers, Chinese one.
export function count(key, number, values = {}) {
  const one = number === 1 && has(key + '.one') ? key + '.one' : key;
  return t(one, {n: new Intl.NumberFormat(language).format(number), ...values});
}
