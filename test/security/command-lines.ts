/** What an ordinary day needs without a question. */
export const HARMLESS = String.raw`
ls
ls -la src
ls *.md 2>/dev/null
ls 2>&1 | tail -5
cat package.json | grep version
cat src/{a,b}.ts {README,none}.md
cat src/*.ts
head -20 README.md && echo "done; ok" || echo 'no'
tail -n +5 README.md
wc -l src/*.ts
sed -n '1,20p' README.md
sed -n '/foo/,/bar/p' README.md
sed 's/a/b/g' README.md
awk '{print $1, $NF}' README.md
grep -rn "foo;bar" src
grep -n 'a\|b' README.md
rg "a|b" src
rg -g '*.ts' foo src
rg --files src
find . -name "*.ts" -not -path './node_modules/*'
find . -type f \( -name '*.ts' -o -name '*.js' \) | head -3
sort README.md | uniq -c | sort -rn | head
diff -u README.md package.json
git status --short
git log --oneline -5
git log -S foo --stat
git diff HEAD~1 -- src/a.ts
git diff --cached --stat
git show HEAD:src/a.ts
git branch --list
git branch --show-current
git stash list
git grep -n foo
git -C src status
git blame README.md
git rev-parse --abbrev-ref HEAD
git remote -v
git tag -l 'v*'
git ls-files | wc -l
echo "a > b; c"
echo $?
set -e; ls
sed 's/[[:space:]]*$//' README.md
sed -n 's/.*"\([^"]*\)".*/\1/p' README.md
date -d @1700000000
grep --help
expr 1 + 2
shuf -n 1 README.md
docker ps --format '{{.Names}}'
ss -tlnp
printf '%s\n' hi
pwd; which node; uname -a
node --version
date +%F
test -f README.md && echo yes
[ -d src ] && echo yes
LC_ALL=C sort README.md
jq .version package.json
true # a comment; touch x
cd plain && grep -rn foo --include='*.ts' .
cd plain && grep -rn foo --include='*.ts' . | head -20
grep -rn 'api/v1' src
git ls-files '*.ts' | head
timeout 60 ls
time ls -la
time -p wc -l README.md
timeout -k 5 60 grep -rn foo src
ls src; echo "exit: $?"
git config --get user.name
git config user.name
git config --global core.editor
git remote get-url origin
go version
cargo --version
ps
ps aux
ps -ef | grep node
id
id -u
jq '.env' package.json
jq -r '.scripts | keys[]' package.json
diff README.md package.json
awk -F: '{print $1}' README.md
awk '{s += $1} END {print s / NR}' README.md
awk 'NR>=10 && NR<=20' README.md
awk '/foo|bar/ {print $2}' README.md
ls -la .env
git check-ignore .env
xxd -l 16 README.md
cut -d/ -f1 README.md
sort -t, -k2 README.md
tr '/' '_' < README.md
command -v node
git diff -U5 -- src/a.ts
git log -5 --format=%h
fd foo
fd -e ts foo src
rg -t ts foo
rg --type=json foo
rg -g '*.ts' foo
test -f .env && echo yes
`;

/** What only a rule of the person's may let through: nobody knows what it does. */
export const UNKNOWN = String.raw`
npm test
npm run build && ls
make
env
ls; touch x
git commit -m x
git branch new
git stash
git tag v1
git remote add x y
git config edit
git config user.name x
git push
curl http://example.org
./ls
/bin/ls
xargs rm
find env | xargs jq -n
`;

/** What asks each time: it writes, runs something, or leaves the workspace. */
export const RISKY = String.raw`
find env | xargs -I{} awk {} README.md
printenv
cd src && ls && cd .. && cat README.md
(cd src; ls) | wc -l
find . -name '*.ts' | xargs wc -l
find src -name '*.ts' -print0 | xargs -0 grep -n foo
find . -name '*.ts' -not -path '*/node_modules/*' | sort | head -5 | xargs wc -l
find . -name '*.ts' | xargs -I{} head -5 {}
find src -name '*.ts' -exec wc -l {} +
find . -name '*.ts' -exec grep -l foo {} \;
find . -name '*.ts' | xargs -d '\n' wc -l
find . -name '*.md' -exec awk '{print $1}' {} +
find . -name '*.md' -print0 | xargs -0 sed -n 1p
time ls && cd src && ls
cat .env
cat .e*
cat src/../.env
cat link/../x
cat linked
cat ~/.ssh/id_rsa
cat /etc/passwd
cat ../other/x
cat < /etc/passwd
grep -rn SECRET .
grep -f /etc/passwd README.md
rg --hidden SECRET
rg -g '*' SECRET
rg --pre ./x.sh SECRET
rg --pre=./x.sh SECRET
rg -z x
rg -L x
find / -name x
find . -name x -exec touch y \;
find . -delete
find . -ok touch y \;
find . -fprint out
find . -fls out
find . -execdir touch y \;
sed -i s/a/b/ README.md
sed '1e touch x' README.md
sed 's/a/b/e' README.md
sed 's/a/b/w out' README.md
sed 'w out' README.md
sed -n '1r /etc/passwd' README.md
sed -f script README.md
awk 'BEGIN{system("x")}' README.md
awk '{print > "out"}' README.md
awk '{print | "sh"}' README.md
sort -o x README.md
sort --compress-program=./x README.md
sort --outp=x README.md
uniq README.md out
git log --output=x
git diff --ext-diff
git diff --output=x HEAD~1
git grep -Ovim foo
git -c core.pager=x status
git --exec-path=. status
git -C / status
git log --format=%G?
git show HEAD:.env
git diff --no-index /etc/passwd README.md
echo hi > .vscode/settings.json
PATH=. ls
LD_PRELOAD=./x ls
GIT_EXTERNAL_DIFF=./x git diff
date -s 1
date 01010000
hostname evil
jq env package.json
printf -v PATH x
test -v 'a[$(touch x)]'
cd / && ls
cd
cd - && ls
xxd -ac package.json out
xxd README.md -p
xxd README.md out
uniq README.md -c
uniq *
tree -Lo 2 FILE
strings @README.md
git diff --no-index -U /etc/passwd README.md
git log -p --submodule=diff
git show :0:.env
git show origin/main:.env
git branch --list --sort /etc/passwd
cat link
grep -n x @README.md
grep -rn x .
grep -rn x --include='*' .
grep -rn x --include='.e*' .
diff -r . src
grep -rn foo --include='*.ts' .
grep -Rn foo --include='*.ts' .
diff -N . src
diff src link
find . -type f | xargs cat
find . -name '.e*' -exec cat {} +
find . -name '*.ts' -o -type f | xargs cat
find . -print -name '*.ts' | xargs cat
find . -name '*.ts' | sed 's/a/b/' | xargs cat
echo .env | xargs cat
ls | xargs cat
find . -name '*.ts' -exec sort -o x {} +
for f in .env README.md; do cat "$f"; done
ps auxe
ps e
ps -eo pid,environ
jq -n '$ ENV'
jq -n '$ENV.PATH'
jq -n '"\\(env)"'
jq -n '$__prog_args'
jq -n '.. | env'
awk 'BEGIN { print ENVIRON["HOME"] }'
awk '{ print $1 > $2 }' README.md
awk 'BEGIN { while (("ls" | getline x) > 0) print x }'
awk '{ print | "cat" }' README.md
grep -e x -f .env README.md
grep --file=.env README.md
head -n .env README.md
timeout 60 sort -o x README.md
env X=1 ls
git config --get http.extraheader
git config http.extraheader
sort -uo x README.md
od -w16 /etc/passwd
diff -I x /etc/passwd README.md
git status -v
cp README.md .vscode/tasks.json
sh -c "cat .env"
node -e "require('fs').writeFileSync('.vscode/tasks.json', '')"
mv .env x
cp .env x
mv README.md package.json
cp -r src .vscode
mkdir .vscode
touch ../x
find env -exec jq -n {} \;
find . -maxdepth 1 -name 'B*' -exec awk {} README.md \;
command cd src
timeout 5 cd src && ls
cd +1
touch at.envtb.ts && find . -name 'at*.ts' | xargs -dt cat
touch ./-oAGENTS.md && sort *
touch -- --pre=sh && rg x *
mkdir -p src/-o/
mkdir -p new && cp package.json new
cat .*/other/x
ls .*
rg -t sh SECRET
fd . ..
git branch --format='%(*signature)'
stat ~/.ssh/id_rsa
ls ~/.ssh
test -f ~/.aws/credentials
`;

/** What the parser does not follow. */
export const NOT_UNDERSTOOD = [
  ...String.raw`
echo "$(ls src | wc -l) files"
echo $HOME "$PWD"
[[ -d src ]] && echo yes
for f in src/*.ts; do wc -l "$f"; done
for f in README.md package.json; do echo "== $f"; head -5 $f; done
for f in a b; do [ -f "$f.md" ] && cat "$f.md"; done
if [ -f package.json ]; then cat package.json; else echo none; fi
while true; do ls; break; done
ls | while read -r line; do echo "> $line"; done
for f in .e*; do cat "$f"; done
for d in src ..; do cd $d; done
if cd ..; then ls; fi
for f in README.md; do command read -r f < src/a.ts; cat "$f"; done
{ ls; } > out
cat {a,b,{c,d}}
cat {1..3}
echo $(touch x)
cat "$(ls)"
echo ${'`touch x`'}
cat <(touch x)
echo ${'$'}{a:=1}
echo $API_KEY
echo "$API_KEY"
cat "$HOME"
echo $((1+1))
for f in $(ls); do cat $f; done
for path in a; do ls $path; done
for CI in a; do CI=.env; cat $CI; done
for f in a; do for f in .env; do :; done; cat $f; done
ls | while read -r f; do cat $f; done
echo ${'$'}'a\nb'
ls &
ls & touch x
f() { ls; }
[[ -f a || -f b ]]
[[ a > b ]]
(( a = 1 ))
case x in x) ls;; esac
coproc ls
cat +(a|b)
cat ~nobody/x
ls =ls
echo x | (
echo "unfinished
ls |
`
    .trim()
    .split('\n'),
  'ls\r\ntouch x',
  'ls\u00a0-la',
  'ls \u202e;x',
  'cat <<EOF\n$(touch x)\nEOF',
  'cat <<EOF\nno end',
  `ls ${'a'.repeat(10_000)}`,
];

/** What writes files as the file tools do. */
export const WRITES = String.raw`
echo hi > src/x.ts
echo hi >> README.md
echo hi >& out
echo hi | cat > out
echo hi > src/new.ts
cat README.md > src/copy.md
`;
