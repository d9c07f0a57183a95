/**
 * Skills of those who write software, by category: `name: alias, alias`. The first alias that is Chinese alone is the
 * name in Chinese.
 */
export const software: Readonly<Record<string, string>> = {
  'programming language': `
    TypeScript: ts
    JavaScript: js, ecmascript, es6, es2015
    Python: py, python3
    Java: jdk, jvm
    Kotlin:
    Scala:
    Groovy:
    Clojure:
    Go: golang, go语言, go 语言
    Rust: rustlang
    C: c语言, c 语言, ansi c
    C++: cpp, c/c++, modern c++, stl
    C#: csharp, c sharp
    .NET: dotnet, dot net, asp.net, .net core, asp.net core, .net framework, asp.net mvc
    F#: fsharp
    Visual Basic: vb.net, vba, vb6
    PHP:
    Ruby:
    Perl:
    Swift: swiftui
    Objective-C: objc, objective c, obj-c
    Dart:
    R: r语言, r language, rstudio, tidyverse
    Julia:
    MATLAB: simulink
    Fortran:
    COBOL:
    Haskell:
    OCaml:
    Erlang: otp
    Elixir:
    Lua:
    Shell: bash, shell scripting, shell script, shell脚本, zsh
    PowerShell: power shell
    SQL: structured query language
    PL/SQL: plsql
    T-SQL: tsql, transact-sql
    Assembly: assembly language, 汇编, 汇编语言
    Solidity:
    WebAssembly: wasm
    Verilog: systemverilog, system verilog
    VHDL:
    ABAP:
    Apex: salesforce apex
  `,
  frontend: `
    HTML: html5
    CSS: css3
    Sass: scss
    Less: lesscss
    Tailwind CSS: tailwind, tailwindcss
    Bootstrap:
    React: react.js, reactjs, react js, react hooks
    Redux: redux toolkit
    MobX:
    Zustand:
    Next.js: nextjs, next
    Remix:
    Vue: vue.js, vuejs, vue js, vue3, pinia, vuex
    Nuxt: nuxt.js, nuxtjs
    Angular: angular.js, angularjs, rxjs
    Svelte: sveltekit
    SolidJS: solid.js
    Astro:
    jQuery:
    Webpack:
    Vite:
    Rollup:
    esbuild:
    Babel:
    Storybook:
    D3: d3.js, d3js
    ECharts:
    Three.js: threejs
    WebGL:
    WebGPU:
    Canvas: html canvas
    Web Components: lit element
    Micro Frontends: micro frontend, micro-frontend, 微前端, qiankun
    Web Performance: core web vitals, 前端性能优化
    Accessibility: a11y, wcag, web accessibility, 无障碍
    Responsive Design: responsive web design, 响应式
    Front-end Development: frontend development, front end development, frontend engineering, frontend engineer, front-end engineer, frontend developer, front-end developer, 前端开发, 前端工程师, 前端工程化
    WeChat Mini Programs: mini program, wechat mini program, 小程序, 微信小程序, uni-app, taro
  `,
  backend: `
    Node.js: nodejs, node js, node
    Deno:
    Bun: bun.js
    Express: express.js, expressjs
    NestJS: nest.js, nest
    Koa: koa.js
    Fastify:
    Hono:
    Django: django rest framework, drf
    Flask:
    FastAPI: fast api
    SQLAlchemy:
    Celery:
    Spring: spring framework, spring mvc, spring技术栈
    Spring Boot: springboot
    Spring Cloud: springcloud
    Hibernate: jpa
    MyBatis: mybatis-plus
    Dubbo:
    Netty:
    Tomcat:
    Quarkus:
    Micronaut:
    Ruby on Rails: rails, ror
    Laravel:
    Symfony:
    WordPress:
    Gin:
    Actix: actix-web
    Tokio:
    Entity Framework: ef core
    gRPC: grpc-web
    Protocol Buffers: protobuf
    GraphQL: apollo graphql
    REST: restful, rest api, restful api, rest interface, restful接口
    WebSocket: websockets, socket.io
    Microservices: microservice, micro services, microservice architecture, 微服务, 微服务架构
    Distributed Systems: distributed system, distributed computing, 分布式, 分布式系统
    High Concurrency: highly concurrent, 高并发
    Multithreading: multi-threading, concurrent programming, concurrency, 多线程, 并发编程
    Message Queues: message queue, message broker, 消息队列, 消息中间件, mq
    API Design: api development, 接口设计
    Event-Driven Architecture: event driven, event sourcing, cqrs, 事件驱动
    Domain-Driven Design: ddd, domain driven design, 领域驱动
    System Design: software architecture, system architecture, 系统设计, 架构设计, 系统架构
    Backend Development: back-end development, backend engineering, back end development, backend engineer, back-end engineer, backend developer, back-end developer, backend software engineer, 后端开发, 后端工程师, 服务端开发, 后端研发
    Full-stack Development: full stack development, fullstack development, full-stack, full stack, fullstack, 全栈, 全栈开发
  `,
  'mobile and desktop': `
    iOS: ios development, ios开发
    Android: android development, android开发, 安卓, 安卓开发, jetpack compose
    React Native:
    Flutter:
    Xamarin: maui
    Ionic: capacitor, cordova
    Electron: electron.js
    Tauri:
    Qt: pyqt
    WPF: winforms
    HarmonyOS: 鸿蒙, harmony os, arkts
    Unity: unity3d
    Unreal Engine: unreal, ue5, ue4, 虚幻引擎
    Game Development: 游戏开发, gameplay programming
  `,
  'systems and hardware': `
    Linux: unix, gnu/linux, ubuntu, centos, red hat
    Linux Kernel: kernel development, 内核开发, linux内核
    Embedded Systems: embedded, embedded software, embedded linux, 嵌入式, 嵌入式开发
    RTOS: freertos, real-time operating system, 实时操作系统
    FPGA:
    PCB Design: pcb, altium, 电路设计
    ARM: arm cortex, cortex-m
    Microcontrollers: microcontroller, stm32, 单片机
    CUDA: gpu programming
    OpenGL:
    Vulkan:
    SIMD: neon intrinsics, avx
    GIS: arcgis, postgis, qgis, 地理信息
    Compilers: compiler, compiler design, llvm, 编译器
    Computer Networks: tcp/ip, tcp, network programming, computer networking, 网络编程, 计算机网络
    Operating Systems: operating system, 操作系统
    ROS: robot operating system, ros2
    Robotics: 机器人
    Autonomous Driving: self-driving, adas, 自动驾驶
    SLAM:
    IoT: internet of things, 物联网, mqtt
    Audio and Video: ffmpeg, webrtc, 音视频, 流媒体
    PLC: 可编程控制器
    CAD: autocad, solidworks
    Simulation: 仿真
  `,
  'ways of building': `
    Git: github, gitlab, bitbucket
    SVN: subversion
    Unit Testing: unit test, junit, jest, vitest, mocha, pytest, 单元测试
    Test Automation: automated testing, selenium, cypress, playwright, appium, 自动化测试
    Performance Testing: load testing, jmeter, k6, locust, 性能测试, 压力测试
    Quality Assurance: qa, software testing, manual testing, 软件测试, 质量保证, 测试用例
    TDD: test-driven development, test driven development, 测试驱动
    Code Review: code reviews, 代码评审
    Design Patterns: design pattern, 设计模式
    Object-Oriented Programming: oop, object oriented, object-oriented design, 面向对象
    Functional Programming: 函数式编程
    Data Structures: data structure, 数据结构
    Algorithms: algorithm, algorithm design, 算法
    Agile: agile development, 敏捷, 敏捷开发
    Scrum: scrum master
    Kanban:
    Jira:
    Confluence:
    Maven:
    Gradle:
    npm: pnpm, yarn
    Bazel:
    CMake:
    Blockchain: web3, smart contracts, smart contract, 区块链, 智能合约
    Technical Writing: technical documentation, 技术文档
  `,
}
