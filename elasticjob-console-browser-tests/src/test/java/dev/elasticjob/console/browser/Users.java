package dev.elasticjob.console.browser;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** An operator, an administrator and a guest; the password of each is the name. */
@Configuration(proxyBeanMethods = false)
class Users {
    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("mei").password("{noop}mei").roles("OPS").build(),
                User.withUsername("ann").password("{noop}ann").roles("BOSS").build(),
                User.withUsername("tom").password("{noop}tom").roles("GUEST").build());
    }
}
