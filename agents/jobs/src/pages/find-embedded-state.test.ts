import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { findEmbeddedState } from './find-embedded-state.ts'

describe('the data that a page starts from', () => {
  it.each([
    ['window.__appData = {"a":{"b":"}"}};fetch("/x")', { a: { b: '}' } }],
    ['window["__appData"]={"a":"\\"{"}', { a: '"{' }],
    ['<script id="__appData" type="application/json">{"a":1}</script>', { a: 1 }],
    ['use(window.__appData); if (__appData) {x()} window.__appData = {"a":1}', { a: 1 }],
    ['window.__appData = {"a":1', undefined],
    ['window.__appData = JSON.parse("{}")', undefined],
    ['window.__appDataLater = {"a":1}', undefined],
    ['', undefined],
  ])('is read from %j', (html, state) => {
    expect(findEmbeddedState(html, '__appData')).toEqual(state)
  })

  it('takes time in proportion to its length', () => {
    for (const page of [
      '__appData={'.repeat(500_000),
      '__appData = {"'.repeat(500_000),
      `__appData = ${'{'.repeat(5_000_000)}`,
    ]) {
      expect(cpuMs(() => findEmbeddedState(page, '__appData'))).toBeLessThan(2000)
    }
  })
})
