r"""The table of how people say in their languages what a password is: `das Passwort lautet …`, `密码是 …`.

    language    words for it (`_` is a blank; a sign of a regular expression counts as one)

A value follows the word within a few others, behind a verb or a colon, or by itself.  Which verb is not asked: the
first word with a number or a sign in it is the one that is judged.  English is not here, for its words are names in
programs too (see `names`).  To extend: add a word; the part before the first sign must be three letters of `a` to `z`,
or no such letter at all.  `*` lets a word end a longer one: `Datenbankpasswort`.
"""

import re
from collections.abc import Iterator

_TABLE = r"""
german      *passwort *kennwort losungswort zugangscode zugangsdaten wlan-schlüssel wlan-key wlan-passwort netzwerkschlüssel logindaten anmeldedaten
french      mot_de_passe code_d'accès code_d’accès phrase_secrète mdp identifiants
spanish     contraseña contrasena clave palabra_clave credenciales
portuguese  senha palavra-passe palavra_passe
italian     parola_d'ordine parola_d’ordine parola_chiave credenziali
dutch       *wachtwoord toegangscode inloggegevens
swedish     *lösenord
danish      adgangskode adgangskoden kodeord kodeordet
norwegian   passord passordet
finnish     salasana salasanan
icelandic   lykilorð
polish      hasło hasła
czech       heslo heslem
croatian    lozinka lozinku
slovene     geslo
hungarian   jelszó jelszava
romanian    parola parolă
estonian    parool
latvian     parole
lithuanian  slaptažodis slaptažodį
greek       κωδικός κωδικός_πρόσβασης συνθηματικό
turkish     şifre şifresi şifrem şifreniz parola parolası parolam
russian     пароль пароля паролем пассворд
ukrainian   пароль пароля
bulgarian   парола паролата
serbian     лозинка шифра
chinese     密码 密碼 口令 令牌 密钥 密鑰 通行码
japanese    パスワード 暗証番号 トークン パスコード 合言葉
korean      비밀번호 비번 암호 패스워드 토큰
arabic      كلمة_المرور كلمة_السر كلمة_مرور رمز_المرور الرقم_السري
persian     رمز_عبور گذرواژه
hebrew      סיסמה סיסמא הסיסמה
hindi       पासवर्ड कूटशब्द
bengali     পাসওয়ার্ড
tamil       கடவுச்சொல்
thai        รหัสผ่าน
vietnamese  mật_khẩu
indonesian  kata_sandi sandi
swahili     nenosiri
"""
_SIGNS = r"!\#$%^&*?~@+"
_LATIN = r"!\#-&(-;=?-_a-~\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u024f"
_VALUE = rf"(?P<s>(?=[{_LATIN}])(?=[^\s\"'`]{{0,60}}[\d{_SIGNS}])[{_LATIN}]{{4,100}})"
_AFTER = r"(?:et|s|en)?(?![a-z])[^\n:：=]{0,32}?(?:[ \t]*(?:[:：=＝→—–-]{1,2}|是|为|為|は|는|은|คือ)|[ \t]|[\]*>]{1,3}|(?<=[^\x00-\u024f]))"
_QUOTES = r"""[ \t"'`「«„“*<(（]{0,4}(?:[a-z0-9.@_-]{2,32}[ ]?[/,][ ]{0,2})?"""


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield triggers, check and expression of each row, as those of `places` have them."""
    for line in _TABLE.strip().splitlines():
        words = line.split()[1:]
        either = "|".join(re.escape(word.strip("*")).replace("_", "[ ]") for word in words)
        yield "^" + "|".join(words), "spoken", f"(?:{either}){_AFTER}{_QUOTES}{_VALUE}"
