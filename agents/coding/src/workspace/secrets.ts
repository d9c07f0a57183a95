/**
 * Keys, logins and histories in the home of a user, below it, and what runs there when the user signs in or opens a
 * program. A star is any characters of a name: what fits it is closed if it exists.
 */
export const SECRETS: readonly string[] = [
  // The shell, and what it connects to.
  `.ssh .ssh2 .putty .gnupg .age .pki .cert .netrc .curlrc .wgetrc .authinfo .authinfo.gpg .Xauthority .ICEauthority
  .config/sops .config/age .*_history .bash_history .zsh_history .python_history .node_repl_history
  .psql_history .mysql_history .sqlite_history .rediscli_history .local/share/fish/fish_history .dbshell
  .viminfo .lesshst`,
  // A shell, a desktop or an editor runs these as the user, outside of every sandbox.
  `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
  .kshrc .cshrc .tcshrc .login .inputrc .config/fish .config/direnv .pam_environment .xinitrc .xprofile .xsession
  .xsessionrc .config/autostart .config/systemd .config/environment.d .local/share/systemd Library/LaunchAgents
  .vimrc .vim .config/nvim .emacs .emacs.d .config/emacs .gdbinit .lldbinit .tmux.conf .config/tmux .screenrc
  .pythonrc .Rprofile .irbrc`,
  // Version control.
  `.gitconfig .config/git .git-credentials .subversion .hgrc .config/gh .config/glab-cli .config/hub
  .config/github-copilot`,
  // Packages and builds.
  `.npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .pip .config/pip .config/pypoetry .local/share/pypoetry
  .local/share/uv/credentials .condarc .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config
  .composer/auth.json .config/composer .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget
  .config/NuGet .sbt/credentials .ivy2/.credentials`,
  // Clouds, containers and databases.
  `.aws .azure .config/gcloud .oci .aliyun .tccli .boto .s3cfg .kube .minikube .docker .config/containers .helm
  .config/helm .terraform.d .terraformrc .vault-token .config/doctl .config/hcloud .fly .railway .vercel
  .local/share/com.vercel.cli .wrangler .config/.wrangler .config/netlify .config/heroku .config/stripe .ngrok2
  .config/ngrok .config/configstore .config/rclone .rclone.conf .config/filezilla .pgpass .my.cnf .mylogin.cnf
  .databrickscfg .snowflake .config/snowflake .snowsql .dbt .kaggle .huggingface .cache/huggingface/token`,
  // Agents and editors: the storage of VS Code and what is made of it holds their logins.
  `.claude .claude.json .codex .gemini .cursor .config/Cursor .continue .openclaw .aider.conf.yml .config/anthropic
  .goose .config/goose .config/opencode .local/share/opencode .ollama/id_ed25519 .config/dragoman .config/dragoman*
  .config/*/User/globalStorage`,
  // Browsers, mail and messages.
  `.mozilla .thunderbird .config/google-chrome .config/google-chrome-* .config/chromium .config/BraveSoftware
  .config/microsoft-edge* .config/vivaldi* .config/opera* .var/app snap/firefox snap/chromium snap/thunderbird
  .config/evolution .config/Signal .config/Signal* .config/discord .config/Slack .config/Element .purple
  .weechat/sec.conf .config/weechat/sec.conf .msmtprc .mbsyncrc .fetchmailrc`,
  // Passwords and wallets.
  `.password-store .local/share/keyrings .local/share/gnome-keyring .local/share/kwalletd .config/op
  .config/1Password .config/Bitwarden* .config/keepassxc .bitcoin .ethereum .electrum .config/solana`,
].flatMap((each) => each.trim().split(/\s+/))
