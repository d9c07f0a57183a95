import { describe, expect, it } from 'vitest'

import { CHINESE_RESUME, RESUME } from './tailoring.fixture.ts'
import { truthOf } from './truth.ts'

/** A line in the part of a resume where it would stand. */
function marks(base: string, section: string, line: string): string[] {
  return truthOf(base, `## ${section}\n${line}\n`, '').marks.map(({ kind, said }) => `${kind}: ${said}`)
}

describe('an honest rewriting', () => {
  it.each([
    [
      'Experience',
      '- Built a high-performance checkout service (Go, PostgreSQL) that reduced p99 latency from 900 ms to 200 ms.',
    ],
    ['Experience', '- Cut failed payments by 40 percent.'],
    ['Experience', '- Raised test coverage to 85%, and lowered failed payments by ４０％.'],
    ['Experience', '- Developed REST APIs with Python, used by 1.2k customers.'],
    ['Experience', '- Mentored 2 interns at Tidewater Labs.'],
    ['Experience', '- Assisted in migrating 14 services to K8s.'],
    ['Experience', '- Payments: checkout service in Golang.'],
    ['Summary', 'Experienced backend engineer with 8 years in payments, Go and Kafka.'],
    ['Experience', '### Senior Software Engineer, Northwind Payments | 2019 – Present'],
    ['Experience', '### Northwind Payments: Senior Software Engineer (Mar 2019 - now)'],
    ['Education', '- **B.Sc. Computer Science**, University of Leeds'],
    ['Education', 'Bachelor of Computer Science, University of Leeds, 2015'],
    ['Technical Skills', '- Kubernetes, Docker, Kafka · Golang'],
  ])('of %s passes: %s', (section, line) => {
    expect(marks(RESUME, section, line)).toEqual([])
  })

  it.each([
    ['工作经历', '- 参与支付系统的重构与优化，将接口响应时间由800ms降至200ms'],
    ['工作经历', '- 基于Go、MySQL开发订单服务，日均处理30000笔订单'],
    ['工作经历', '- 单元测试覆盖率提升到８５％'],
    ['工作经历', '- 用Python搭建数据报表系统，为客户提供服务'],
    ['工作经历', '### 后端工程师 | 云帆科技有限公司 | 2019年3月 - 至今'],
    ['个人简介', '后端工程师，熟悉Go、Python，具有支付系统重构经验，善于沟通，沟通能力良好'],
    ['教育经历', '浙江大学 | 计算机科学与技术 | 本科（2012-2016）'],
    ['技能', '- Redis、Kafka、golang'],
  ])('of %s passes: %s', (section, line) => {
    expect(marks(CHINESE_RESUME, section, line)).toEqual([])
  })
})

const YEARS =
  '# 林岚\n\n## 个人简介\n五年后端开发经验，熟悉 Go。\n\n## 工作经历\n- 带 3 名初级工程师，提升三倍\n- 用 Kafka 处理消息'

describe('a clause of words that stand everywhere', () => {
  it('keeps its number, whatever the rest of the sentence says', () => {
    expect(marks(YEARS, '个人简介', '五年后端开发经验，熟悉 Go 与 Kafka。')).toEqual([])
  })

  it.each([
    ['八年后端开发经验，熟悉 Go 与 Kafka。', 'changed_number: 八'],
    ['五年前端开发经验，熟悉 Go 与 Kafka。', 'fabricated_skill: 前端开发'],
  ])('is marked where it says another thing: %s', (line, mark) => {
    expect(marks(YEARS, '个人简介', line)).toContain(mark)
  })
})

describe('a dishonest rewriting', () => {
  it('is marked once for one word', () => {
    const base = RESUME.replace('Mentored two interns.', 'Mentor two engineers.')

    expect(marks(base, 'Experience', '- Lead two engineers.')).toEqual(['invented_content: Lead'])
    expect(marks(base, 'Experience', '- Lead Engineer of the checkout.')).toContainEqual(
      expect.stringMatching(/^fabricated_title: Lead/),
    )
  })

  it.each([
    ['Experience', '- Built the checkout service in Rust.', 'fabricated_skill: Rust'],
    ['Experience', '- Reduced failed payments by 45%.', 'changed_number: 45%'],
    // Its numbers are the resume's own, of something else.
    ['Experience', '- Reduced failed payments by 85%.', 'changed_number: 85%'],
    [
      'Experience',
      '- Reduced failed payments by 85% and raised test coverage to 40%.',
      'changed_number: 40%',
    ],
    ['Experience', '- Served 1.2 million customers with REST APIs in Python.', 'changed_number: 1.2 million'],
    [
      'Experience',
      '- Cut p99 latency from 200 ms to 900 ms.',
      'changed_number: Cut p99 latency from 200 ms to 900 ms',
    ],
    ['Experience', '- Mentored five interns.', 'changed_number: five'],
    ['Experience', '- Led the migration of 14 services to Kubernetes.', 'invented_content: Led'],
    ['Experience', '- Owned migration of 14 services to Kubernetes.', 'invented_content: Owned'],
    ['Experience', '- Managed a team of engineers.', 'invented_content: Managed'],
    [
      'Experience',
      '- Presented roadmaps to the executive board.',
      'invented_content: Presented roadmaps to the executive board.',
    ],
    ['Experience', '- Increased failed payments by 40%.', 'changed_number: 40%'],
    ['Experience', '- Built the checkout service at Google.', 'fabricated_company: Google'],
    // The documents show what only looks like a tag.
    ['Experience', '- Wrote REST APIs in Python <at Google>.', 'fabricated_company: Google'],
    ['Experience', '### Software Engineer — Stripe (2015 – 2019)', 'fabricated_company: Stripe'],
    [
      'Experience',
      '### Staff Software Engineer — Northwind Payments (Mar 2019 – Present)',
      'fabricated_title: Staff',
    ],
    // A title of one employer at another.
    ['Experience', '### Senior Software Engineer — Tidewater Labs (2015 – 2019)', 'fabricated_title: Senior'],
    ['Experience', '### Software Engineer — Tidewater Labs (2014 – 2019)', 'changed_date: 2014'],
    ['Summary', 'Senior full-stack developer in payments.', 'fabricated_skill: full-stack'],
    ['Summary', 'Staff Engineer in payments.', 'fabricated_title: Staff'],
    ['Summary', 'Backend engineer with 10 years of experience in payments.', 'changed_number: 10'],
    ['Education', '**MSc Computer Science**, University of Leeds, 2011 – 2015', 'fabricated_degree: MSc'],
    ['Education', '**BSc Computer Science**, University of Oxford, 2011 – 2015', 'fabricated_degree: Oxford'],
    ['Education', 'BSc Mathematics, University of Leeds', 'fabricated_degree: Mathematics'],
    ['Certifications', '- CKA (2021)', 'fabricated_certificate: CKA'],
    [
      'Summary',
      'AWS Certified Solutions Architect.',
      'fabricated_certificate: AWS Certified Solutions Architect',
    ],
    ['Skills', '- Languages: Go, Python, SQL, Haskell', 'fabricated_skill: Haskell'],
    ['Skills', '- Tools: Docker, Flurbonator, Kafka', 'fabricated_skill: Flurbonator'],
  ])('of %s is marked: %s', (section, line, mark) => {
    expect(marks(RESUME, section, line).join('\n')).toContain(mark)
  })

  it.each([
    ['工作经历', '- 主导支付系统重构，接口响应时间从800毫秒降低到200毫秒', 'invented_content: 主导'],
    ['工作经历', '- 负责支付系统重构', 'invented_content: 负责'],
    ['工作经历', '- 带领十人团队完成支付系统重构', 'changed_number: 十'],
    ['工作经历', '- 使用Go和MySQL开发订单服务，日均处理30万笔订单', 'changed_number: 30万'],
    [
      '工作经历',
      '- 参与支付系统重构，接口响应时间从200毫秒到800毫秒',
      'changed_number: 接口响应时间从200毫秒到800毫秒',
    ],
    ['工作经历', '- 服务三十余家客户', 'changed_number: 三十'],
    ['工作经历', '- 使用Rust开发订单服务', 'fabricated_skill: Rust'],
    ['工作经历', '- 在清华大学使用Python开发数据报表系统', 'fabricated_degree: 清华大学'],
    ['资质', '- Google 云架构师', 'fabricated_'],
    ['我的故事', '## Google 首席架构师', 'fabricated_'],
    ['工作经历', '- 组织新员工入职培训并编排年会节目', 'invented_content: 组织新员工入职培训并编排年会节目'],
    ['工作经历', '- 曾在阿里巴巴参与支付系统重构', 'fabricated_company: 阿里巴巴'],
    ['工作经历', '### 云帆科技有限公司 高级后端工程师 2019.03–至今', 'fabricated_title: 高级'],
    ['工作经历', '### 云帆科技有限公司 后端工程师 2018.03–至今', 'changed_date: 2018.03'],
    ['工作经历', '### 腾讯 后端工程师 2019.03–至今', 'fabricated_company: 腾讯'],
    ['工作经历', '- 精通Redis缓存优化', 'invented_content: 精通'],
    ['教育背景', '浙江大学 计算机科学与技术 硕士 2012–2016', 'fabricated_degree: 硕士'],
    ['教育背景', '清华大学 计算机科学与技术 本科 2012–2016', 'fabricated_degree: 清华'],
    ['证书', '- 获得软考高级证书', 'fabricated_certificate'],
    ['专业技能', '- 中间件：MySQL、Redis、RabbitMQ', 'fabricated_skill: RabbitMQ'],
  ])('of %s is marked: %s', (section, line, mark) => {
    expect(marks(CHINESE_RESUME, section, line).join('\n')).toContain(mark)
  })

  it('says in which sentence and line', () => {
    const tailored = RESUME.replace('Mentored two interns.', 'Mentored two interns. Wrote Rust for fun.')

    expect(truthOf(RESUME, tailored, '').marks).toContainEqual({
      kind: 'fabricated_skill',
      said: 'Rust',
      sentence: 'Wrote Rust for fun.',
      line: 16,
    })
  })

  it('says it in the signs in which it stands', () => {
    const tailored = `${CHINESE_RESUME}\n## 技能\n\n- 熟悉 Ｇｏ，也用 **Rust**，写过编译器。\n- 带 5 人，用 Rust；负责评审（全部）。`
    const sentences = truthOf(CHINESE_RESUME, tailored, '').marks.map(({ sentence }) => sentence)

    expect(sentences).toContain('带 5 人，用 Rust；')
  })
})
