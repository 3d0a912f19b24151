package dev.elasticjob.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.List;

/** What an eye would find wrong with a page. */
final class Looks {
    /**
     * Returns one line for each fault. What is wider than its place: the page, a part that scrolls sideways or hides what
     * doesn't fit (trees, failures and the grid of firings may scroll), and words that stand on two lines. Chinese and
     * Japanese have no such words.
     */
    private static final String FAULTS = """
            () => {
              const faults = [];
              const shown = (element) => element.getClientRects().length > 0 && !element.closest('.hidden, .skip');
              const name = (element) => element.tagName.toLowerCase() + '.' + element.className + ' "' + element.textContent.trim().slice(0, 40) + '"';
              if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is ' + document.documentElement.scrollWidth + ' wide');
              for (const element of document.querySelectorAll('main *, header *')) {
                if (!shown(element) || element.closest('pre, .grid, .screens, .tabs, input, select')) continue;
                const style = getComputedStyle(element);
                if (style.overflowX !== 'visible' && style.clipPath === 'none' && element.scrollWidth > element.clientWidth + 1 && !element.querySelector('.grid')) {
                  faults.push('cut: ' + name(element) + ' ' + element.scrollWidth + ' in ' + element.clientWidth);
                }
                if (element.matches('td, th') && style.overflowX === 'visible' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
                  faults.push('over its cell: ' + name(element) + ' ' + element.scrollWidth + ' in ' + element.clientWidth);
                }
                if (element.matches('a, button, input, select') && element.getBoundingClientRect().right > innerWidth + 1) {
                  faults.push('out of view: ' + name(element));
                }
              }
              const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (!shown(node.parentElement) || node.parentElement.closest('pre, code, .failure, .problem')) continue;
                for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                  if (/[\\u2e80-\\u9fff]/.test(word[0])) continue;
                  const range = document.createRange();
                  range.setStart(node, word.index);
                  range.setEnd(node, word.index + word[0].length);
                  const tops = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
                  if (tops.size > 1) faults.push('broken inside: "' + word[0] + '" in ' + name(node.parentElement));
                }
              }
              return faults;
            }
            """;

    private Looks() {}

    static void assertRight(Page page, String what) {
        assertThat((List<?>) page.evaluate(FAULTS)).as(what).isEmpty();
    }
}
