/** Words that mean the same to somebody who looks for work. Whoever says one finds all of its row. */
export const sameMeaning: readonly (readonly string[])[] = [
  // Roles
  ['software engineer', 'software developer', '软件工程师', '软件开发工程师', '软件开发'],
  ['engineer', '工程师'],
  ['developer', '开发', '开发工程师', '开发者'],
  ['frontend', 'front end', '前端', 'web前端'],
  ['backend', 'back end', '后端', '后台开发', '服务端'],
  ['full stack', 'fullstack', '全栈'],
  ['algorithm', '算法'],
  ['machine learning', 'ml', '机器学习'],
  ['deep learning', '深度学习'],
  ['artificial intelligence', 'ai', '人工智能'],
  ['large language model', 'llm', '大模型', '大语言模型'],
  ['data engineer', '数据工程师', '数据开发'],
  ['data scientist', '数据科学家'],
  ['data analyst', '数据分析师', '数据分析'],
  ['product manager', '产品经理'],
  ['project manager', '项目经理'],
  ['designer', '设计师'],
  ['tester', 'qa', 'test engineer', '测试', '测试工程师'],
  ['devops', '运维', '运维工程师'],
  ['sre', 'site reliability', '站点可靠性'],
  ['security', '安全'],
  ['architect', '架构师'],
  ['embedded', '嵌入式'],
  ['mobile', '移动端', '移动开发'],
  ['game', '游戏'],
  ['manager', '经理'],
  ['intern', 'internship', '实习', '实习生'],
  ['senior', 'sr', '高级', '资深'],
  ['junior', 'jr', '初级'],
  ['lead', '负责人', '组长'],
  // How one works
  ['remote', '远程', '居家办公', '在家办公'],
  ['hybrid', '混合办公'],
  ['onsite', 'on site', '现场办公', '坐班'],
  ['full time', '全职'],
  ['part time', '兼职'],
  ['contract', 'contractor', '合同工', '外包'],
  // Places
  ['san francisco', 'sf', '旧金山', '三藩市'],
  ['california', 'ca', '加州', '加利福尼亚'],
  ['new york', 'nyc', '纽约'],
  ['seattle', '西雅图'],
  ['london', '伦敦'],
  ['singapore', '新加坡'],
  ['tokyo', '东京'],
  ['berlin', '柏林'],
  ['shanghai', '上海'],
  ['beijing', '北京'],
  ['hangzhou', '杭州'],
  ['shenzhen', '深圳'],
  ['guangzhou', '广州'],
  ['chengdu', '成都'],
  ['hong kong', '香港'],
  ['taipei', '台北'],
  ['united states', 'usa', 'us', '美国'],
  ['china', '中国'],
  // Names with signs in them
  ['node.js', 'nodejs'],
  ['.net', 'dotnet', 'asp.net'],
  ['c#', 'csharp'],
  ['golang', 'go语言'],
]

/** Words with which one asks, and which no posting has to contain. */
export const asking: readonly string[] = [
  ...'a an the and or of for in at to with on me my i is are there any some please show find search list look'.split(
    ' ',
  ),
  ...'looking want need get give help job jobs position positions posting postings opening openings role'.split(
    ' ',
  ),
  ...'roles vacancy vacancies work career careers opportunity opportunities that which what new all'.split(
    ' ',
  ),
  ...'职位 工作 岗位 招聘 机会 职务 的 了 吗 呢 吧 找 帮 我 帮我 请 请问 想 想要 要 有 有没有 没有 哪些 什么 一些'.split(
    ' ',
  ),
  ...'一下 一个 个 份 搜索 查找 搜 查 查询 看看 列出 显示 给 给我 和 或 与 在 去 到 是 相关 所有 全部 里 内 类'.split(
    ' ',
  ),
]
