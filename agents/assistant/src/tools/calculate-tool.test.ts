import { describe, expect, it } from 'vitest'

import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import { calculateTool } from './calculate-tool.ts'

const resultText = async (expression: string) => (await runTool(calculateTool, { expression })).text

describe('the calculator', () => {
  it.each([
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3'],
    ['1/3', '1/3 ≈ 0.33333333333333333333'],
    ['factorial(30)', 'factorial(30) = 265252859812191058636308480000000'],
    ['2^100', '2^100 = 1267650600228229401496703205376'],
    ['200 + 15%', '200 + 15% = 230'],
    ['8% of 250', '8% of 250 = 20'],
    ['1,234,567 × 2', '1,234,567 × 2 = 2469134'],
    ['（３＋４）×２ ÷ 7', '（３＋４）×２ ÷ 7 = 2'],
    ['3 kg + 200 g', '3 kg + 200 g = 3.2 kg'],
    ['32 degF to degC', '32 degF to degC = 0 degC'],
    ['sin(30 deg)', 'sin(30 deg) = 0.5'],
    ['√16 + 3²', '√16 + 3² = 13'],
    ['mean([1, 2, 6])', 'mean([1, 2, 6]) = 3'],
    ['x = 3; x^2', 'x = 3; x^2 = 9'],
    ['5 > 3', '5 > 3 = true'],
    ['sqrt(-4)', 'sqrt(-4) = 2i'],
    ['log(8, 2)', 'log(8, 2) ≈ 3'],
  ])('calculates %s', async (expression, text) => {
    expect(await resultText(expression)).toBe(text)
  })

  it.each([
    ['', /expression/],
    ['2 +', /cannot be worked out: Unexpected end/],
    ['while(true){}', /cannot be worked out/],
    ['2 apples * potatoes', /Undefined symbol/],
    ['1e4 letters'.repeat(1000), /expression/],
    ['import({})', /cannot be worked out/],
    ['createUnit("x")', /there is no function createUnit/],
    ['evaluate("1")', /there is no function evaluate/],
    ['parse("1")', /there is no function parse/],
    ['zeros(1e8)', /there is no function zeros/],
    ['1:1e9', /only numbers, units/],
    ['f(x) = f(x); f(1)', /there is no function f|only numbers/],
    ['cos.constructor("return process")()', /cannot be worked out/],
    ['{a: 1}["constructor"]', /only numbers, units/],
    ['constructor', /cannot be worked out/],
    ['import', /comes to no number|cannot be worked out/],
    ['"text"', /only numbers, units/],
    ['("x").constructor', /only numbers, units/],
    [`${'('.repeat(499)}1`, /cannot be worked out/],
  ])('refuses %.40s', async (expression, reason) => {
    await expect(runTool(calculateTool, { expression })).rejects.toThrow(reason)
  })

  it('gives up on an endless calculation and continues with the next', async () => {
    const forever = runTool(calculateTool, { expression: 'factorial(1e9)' })
    const next = resultText('1 + 1')

    await expect(forever).rejects.toThrow(/takes too long|too much memory/)
    expect(await next).toBe('1 + 1 = 2')
  }, 60_000)
})
