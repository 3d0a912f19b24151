package dev.elasticjob.console.standalone;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;

/**
 * Adds the roles that a claim of OpenID Connect lists, in the token or in the answer about the user.
 *
 * @param claim dots lead into objects; null for none
 */
record ClaimedRoles(@Nullable String claim) implements GrantedAuthoritiesMapper {
    @Override
    public Collection<? extends GrantedAuthority> mapAuthorities(Collection<? extends GrantedAuthority> authorities) {
        Set<GrantedAuthority> all = new HashSet<>(authorities);
        if (claim == null) {
            return all;
        }
        for (GrantedAuthority authority : authorities) {
            if (authority instanceof OidcUserAuthority user) {
                roles(user.getIdToken().getClaims(), claim).forEach(all::add);
                OidcUserInfo about = user.getUserInfo();
                if (about != null) {
                    roles(about.getClaims(), claim).forEach(all::add);
                }
            }
        }
        return all;
    }

    /** A claim of the whole name comes before one inside an object. */
    private static Stream<SimpleGrantedAuthority> roles(Map<?, ?> claims, String name) {
        Object found = claims.get(name);
        int dot = name.indexOf('.');
        if (found == null && dot > 0 && claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner) {
            return roles(inner, name.substring(dot + 1));
        }
        Stream<?> values = found instanceof Collection<?> many ? many.stream() : Stream.ofNullable(found);
        return values.filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(role -> !role.isBlank())
                .map(SimpleGrantedAuthority::new);
    }
}
