"""A few ways of saying the same in German, French, Spanish, Russian, Chinese and Japanese.

Rows of the table in `patterns`, whose docstring tells what the columns and groups mean.  English
comes first; here stand only the plainest forms of a rule, a decision, a blocker and a dead end.
"""

# fmt: off
ROWS = (
    ("rule", "", "immer nie niemals stets", r"(?:bitte |wir |ab jetzt |in zukunft )*(?:immer|nie|niemals|stets) (?!(?:wieder|noch|mehr|so|gut)\b).{8,}", "bitte immer auf Deutsch antworten"),
    ("rule", "", "immer nie niemals nur kein keine keinen", r"(?!(?:ich|es|das|er|sie|warum|wieso|hat|ist)\b)[\w`äöüß/-]+(?: [\w`äöüß/-]+){0,5} (?:(?:immer|nie|niemals) (?:mit|auf|in|im|vor|nach|über|per|an)|(?:nur|erst) (?:nach|mit|über|per|durch|von)) .{3,}", "Änderungen an `infra/` nur nach Rücksprache"),
    ("rule", "", "ab bitte kein keine keinen nicht", r"(?:ab (?:jetzt|sofort) .{8,}|(?:bitte )?(?:keine?n?) [\w`äöüß -]{3,40} (?:in|im|auf|ohne|mit|vor|nach|an|am) .{2,})", "keine neuen Abhängigkeiten ohne Absprache"),
    ("decision", "", "wir", r"(?:[\w äöüß]{3,40}: )?wir (?:nehmen|bleiben bei|nutzen|verwenden|setzen auf|haben (?:uns )?(?:entschieden|beschlossen)|steigen auf|wechseln (?:zu|auf)|verzichten auf) (?!(?:das|es|dies)\b).{3,}", "nach langem Hin und Her: wir nehmen Keycloak für das Login"),
    ("procedure", "", "mit", r"(?:der |die |das )?[\w äöüß-]{2,40} (?:laufen|läuft|wird|werden|startet|starten|baut|geht|gehen|deployen wir|starten wir)(?: immer| nur)? mit `(?P<what>[^`]{2,200})`.*", "tests laufen mit `composer test`, nicht mit phpunit"),
    ("procedure", "", "um zum", r"(?:um .{3,60} zu [\w]+|um .{3,60}zu\w+|zum [\w äöüß]{3,40})(?::|,)? <CMDS>", "um das Backup einzuspielen: `pg_restore -d shop dump`"),
    ("blocker", "", "warten wartet blockiert", r"(?:wir warten|[\w äöüß-]{2,30} wartet)(?: noch| immer noch| gerade)? auf (?!(?:dich|deine|das hier)\b).{4,}|[\w äöüß-]{2,30} (?:ist|sind) (?:noch )?(?:blockiert|gesperrt) (?:durch|von|bis|weil|wegen) .{3,}", "wir warten noch auf die Freigabe vom Datenschutz"),
    ("dead end", "", "versucht probiert", r"(?:(?:ich|wir) (?:hab|habe|haben) )?.{0,60}?(?:versucht|probiert|ausprobiert)\b.{3,80}?(?:geht nicht|klappt nicht|ging nicht|hat nicht|bringt nichts|brachte nichts|sackgasse|aufgegeben)\b.*", "ich hab versucht das mit Triggern zu lösen, geht nicht"),
    ("rule", "", "jamais toujours", r"(?:(?:il faut |on doit |merci de |ne )*(?:jamais|toujours) (?!(?:le|la|les)? ?(?:cas|même)\b).{8,}|ne (?:pas|plus) [\w'éèê]+er .{5,})", "ne jamais modifier la base de prod à la main"),
    ("decision", "", "on nous", r"(?:on|nous) (?:garde|part sur|passe [àa]|reste sur|utilise|prend|a décidé|avons décidé|a choisi|avons choisi|abandonne) .{3,}", "on part sur Postgres pour les commandes"),
    ("rule", "", "siempre nunca", r"(?:por favor,? )?(?:siempre|nunca|jamás) (?!(?:me|he|ha|lo)\b)[\wáéíóúñ]+ .{4,}|(?:no) (?:uses|toques|hagas|pongas|subas|borres) (?:nunca|jamás) .{3,}", "nunca subas cambios directamente a main"),
    ("decision", "", "hemos decidimos vamos nos usamos", r"(?:hemos decidido|decidimos|vamos a usar|nos quedamos con|usamos) (?!(?:esto|eso)\b).{3,}", "nos quedamos con Postgres para los pedidos"),
    ("rule", "", "никогда всегда нельзя отныне", r"(?:пожалуйста,? )?(?:никогда|всегда|нельзя|отныне|впредь) (?!(?:не было|так)\b).{6,}", "никогда не пушь в main"),
    ("decision", "", "решили остаёмся берём переходим", r"(?:мы )?(?:решили|остаёмся на|остаемся на|берём|берем|переходим на) .{4,}", "решили остаться на Django"),
    ("rule", "", "以后 永远 必须 不要 禁止 始终 总是 务必", r"(?:(?:请|以后|今后|从现在开始|从现在起)[^?？]{0,12}?(?:都|要|不要|必须|用|使用|先|不能|别)|永远(?:不要|不能|别)|(?:始终|总是|务必|禁止|必须|绝对不(?:要|能)))[^?？吗]{3,}$", "以后提交前都要先跑一遍测试"),
    ("decision", "", "决定 决定用 改用 选择了 就用", r"(?:我们|团队)?(?:最后|最终|已经)?(?:决定|选择了|改用|就用|确定用)(?!了吗|吗)[^?？]{2,}$", "我们决定继续用 Postgres"),
    ("rule", "", "必ず 絶対に 今後 常に 禁止", r"[^?？]{0,30}?(?:必ず|絶対に|今後は?|常に|これからは)[^?？]{5,}$", "コミット前に必ずテストを実行してください"),
    ("decision", "", "決め 決定 ことにし", r"[^?？]{3,80}?(?:ことに(?:決め|し)(?:ました|た)|に決めました|に決定しました|で行きます|でいきます)[^?？]*$", "認証はAuth0を使うことに決めました"),
)
# fmt: on
