/** Skills beside software and data, by category: `name: alias, alias`. */
export const business: Readonly<Record<string, string>> = {
  product: `
    Product Management: product manager, product owner, 产品管理, 产品经理
    Product Strategy: product roadmap, roadmapping, roadmap planning, 产品规划, 产品策略
    Product Design: 产品设计
    Requirements Analysis: requirements gathering, requirement analysis, business requirements, 需求分析, 需求调研
    User Stories: user story, prd, 需求文档
    User Research: user interviews, usability testing, 用户研究, 用户调研, 可用性测试
    Market Research: competitive analysis, competitor analysis, 市场调研, 竞品分析
    User Growth: growth hacking, growth marketing, 用户增长
    Business Analysis: business analyst, 商业分析, 业务分析
    Monetization: 商业化
    Axure: axure rp
  `,
  design: `
    UX Design: ux, user experience, user experience design, 用户体验
    UI Design: user interface design, ui设计, 界面设计, 视觉设计
    Interaction Design: 交互设计
    Design Systems: design system, component library, 设计系统, 设计规范
    Figma:
    Sketch:
    Adobe XD:
    Photoshop: adobe photoshop
    Illustrator: adobe illustrator
    InDesign: adobe indesign
    After Effects: adobe after effects
    Video Editing: premiere, adobe premiere, premiere pro, final cut, 视频剪辑
    Adobe Creative Suite: adobe creative cloud, creative suite, creative cloud
    Graphic Design: 平面设计
    Motion Design: motion graphics, 动效
    Wireframing: wireframes, 原型设计
    Prototyping: rapid prototyping
    Typography: 字体设计
    3D Modeling: blender, maya, 3ds max, cinema 4d, 3d建模
    Branding: brand design, 品牌设计
  `,
  marketing: `
    Digital Marketing: online marketing, 数字营销, 网络营销
    SEO: search engine optimization, search engine optimisation, 搜索引擎优化
    SEM: paid search, ppc, google ads, adwords, 竞价
    Content Marketing: content strategy, 内容营销, 内容运营
    Social Media: social media marketing, 社交媒体, 新媒体运营, 新媒体, 小红书, 抖音
    Email Marketing: mailchimp, 邮件营销
    Marketing Automation: hubspot, marketo
    Performance Marketing: paid media, facebook ads, 信息流投放, 广告投放
    Brand Management: brand marketing, brand strategy, 品牌营销, 品牌管理
    Copywriting: copy writing, 文案, 文案策划
    Public Relations: media relations, 公关, 公共关系
    Event Management: event planning, 活动策划
    E-commerce: ecommerce, shopify, amazon marketplace, 电商, 跨境电商, 电商运营
    User Operations: community management, community building, 用户运营, 社群运营, 社区运营
    Livestreaming: live commerce, 直播运营, 直播带货
  `,
  sales: `
    Sales: b2b sales, enterprise sales, saas sales, 销售, 大客户销售
    Business Development: bizdev, 商务拓展
    Account Management: key account management, 客户管理, 大客户管理
    Customer Success: 客户成功
    Customer Service: customer support, technical support, 客户服务, 客服, 技术支持
    CRM: customer relationship management, 客户关系管理
    Salesforce:
    Lead Generation: cold calling, prospecting, 获客
    Presales: pre-sales, solutions engineering, solution architecture, 售前
    Negotiation: contract negotiation, 商务谈判, 谈判
  `,
  'finance and law': `
    Accounting: bookkeeping, general ledger, 会计, 财务核算
    Financial Analysis: fp&a, financial planning, 财务分析
    Financial Modeling: financial modelling, dcf, 财务建模, 财务模型
    Financial Reporting: financial statements, 财务报表, 财务报告
    Budgeting: budget management, 预算, 预算管理
    Auditing: internal audit, audit, 审计
    Tax: taxation, 税务
    IFRS: us gaap, gaap, 会计准则
    CPA: certified public accountant, 注册会计师
    CFA: chartered financial analyst, 特许金融分析师
    Risk Management: risk control, credit risk, 风险管理, 风控
    Compliance: regulatory compliance, 合规
    AML: anti-money laundering, kyc, 反洗钱
    Investment Analysis: equity research, due diligence, 投资分析, 行业研究, 尽职调查
    Payments: payment systems, payment processing, 支付系统
    Payroll: 薪酬核算
    Contract Law: contract review, 合同审核, 合同管理
    Intellectual Property: patents, 知识产权, 专利
    QuickBooks: xero
    SAP: sap fico, s/4hana, sap hana
    Oracle ERP: netsuite
    ERP: enterprise resource planning, 企业资源计划, kingdee, yonyou, 金蝶, 用友
  `,
  operations: `
    Supply Chain: supply chain management, 供应链, 供应链管理
    Logistics: warehousing, 物流, 仓储
    Procurement: purchasing, strategic sourcing, 采购
    Inventory Management: inventory control, 库存管理
    Lean: lean manufacturing, 精益, 精益生产
    Six Sigma: lean six sigma, 六西格玛
    Quality Management: quality control, iso 9001, iso9001, 质量管理, 品质管理
    Manufacturing: 生产管理, 生产制造
    Data Entry: 数据录入
    Business Operations: bizops, 业务运营
    Recruiting: talent acquisition, 人才招聘, 招聘管理, 招聘经验
    Human Resources: hr, hrbp, 人力资源
    Performance Management: 绩效管理, 绩效考核
    Staff Training: training and development, 员工培训, 培训体系
    Microsoft Office: ms office, office 365, microsoft 365, office软件, 办公软件
    PowerPoint: ppt
    Word: microsoft word, ms word
    Notion:
  `,
  management: `
    Project Management: project manager, 项目管理, 项目经理
    PMP: project management professional, prince2
    Program Management: programme management, 项目集管理
    Stakeholder Management: stakeholder engagement, 干系人管理
    Leadership: people management, team leadership, 领导力, 团队管理, 带团队
  `,
  'working together': `
    Mentoring: mentorship, coaching
    Communication: communication skills, written communication, verbal communication, 沟通能力, 沟通技巧, 沟通协调
    Teamwork: team player, collaboration, 团队合作, 团队协作, 协作能力
    Cross-functional Collaboration: cross-functional, cross functional, 跨部门, 跨团队
    Problem Solving: problem-solving, 解决问题, 问题解决
    Analytical Thinking: analytical skills, critical thinking, 分析能力, 逻辑思维
    Time Management: 时间管理
    Public Speaking: presentation skills, 演讲
    Attention to Detail: detail-oriented, detail oriented, 细心, 注重细节
    Self-motivation: self-motivated, self-starter, self starter, 自驱, 自我驱动
    Learning Ability: fast learner, quick learner, 学习能力
    Working under Pressure: 抗压, 抗压能力
    Scientific Research: academic research, 科研
  `,
  language: `
    English: 英语, 英文, ielts, toefl, cet-4, cet-6, cet4, cet6, 大学英语
    Chinese: mandarin, mandarin chinese, 中文, 普通话, 汉语
    Cantonese: 粤语, 广东话
    Japanese: 日语, 日文, jlpt
    Korean: 韩语, 韩文, topik
    German: 德语, deutsch
    French: 法语, français
    Spanish: 西班牙语, español
    Portuguese: 葡萄牙语
    Italian: 意大利语
    Russian: 俄语
    Arabic: 阿拉伯语
    Dutch: 荷兰语
    Polish: 波兰语
    Hindi: 印地语
    Thai: 泰语
    Vietnamese: 越南语
    Indonesian: bahasa indonesia, 印尼语
  `,
}
