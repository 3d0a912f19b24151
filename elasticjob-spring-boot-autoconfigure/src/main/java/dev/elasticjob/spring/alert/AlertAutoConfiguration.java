package dev.elasticjob.spring.alert;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Alerts;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Webhook;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.mail.MailSender;

/**
 * The error handlers EMAIL, WEBHOOK, SLACK, DINGTALK, WECHAT and FEISHU: each exists where its address is set. Jobs select
 * one with {@code jobExceptionHandler}.
 */
@AutoConfiguration(
        after = ElasticJobAutoConfiguration.class,
        afterName = "org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration")
@ConditionalOnBean(JobBeanCollector.class)
public final class AlertAutoConfiguration {
    private static final String ALERTS = "elasticjob.alerts.";

    @Bean
    @ConditionalOnMissingBean
    AlertThreads elasticJobAlertThreads(ElasticJobProperties properties) {
        return new AlertThreads(properties.alerts(), Clock.systemUTC());
    }

    /** Through webhooks. Made at their first use, after all settings have been checked. */
    @Configuration(proxyBeanMethods = false)
    @Lazy
    static class Webhooks {
        @Bean("WEBHOOK")
        @ConditionalOnAddress(ALERTS + "webhook.url")
        @ConditionalOnMissingBean(name = "WEBHOOK")
        AlertErrorHandler elasticJobWebhookAlerts(ElasticJobProperties properties, AlertThreads threads) {
            return webhook(
                    "WEBHOOK",
                    MessageFormat.GENERIC,
                    properties,
                    properties.alerts().webhook(),
                    threads);
        }

        @Bean("SLACK")
        @ConditionalOnAddress(ALERTS + "slack.url")
        @ConditionalOnMissingBean(name = "SLACK")
        AlertErrorHandler elasticJobSlackAlerts(ElasticJobProperties properties, AlertThreads threads) {
            return webhook(
                    "SLACK",
                    MessageFormat.SLACK,
                    properties,
                    properties.alerts().slack(),
                    threads);
        }

        @Bean("DINGTALK")
        @ConditionalOnAddress(ALERTS + "dingtalk.url")
        @ConditionalOnMissingBean(name = "DINGTALK")
        AlertErrorHandler elasticJobDingTalkAlerts(ElasticJobProperties properties, AlertThreads threads) {
            return webhook(
                    "DINGTALK",
                    MessageFormat.DINGTALK,
                    properties,
                    properties.alerts().dingtalk(),
                    threads);
        }

        @Bean("WECHAT")
        @ConditionalOnAddress(ALERTS + "wechat.url")
        @ConditionalOnMissingBean(name = "WECHAT")
        AlertErrorHandler elasticJobWeComAlerts(ElasticJobProperties properties, AlertThreads threads) {
            return webhook(
                    "WECHAT",
                    MessageFormat.WECHAT,
                    properties,
                    properties.alerts().wechat(),
                    threads);
        }

        @Bean("FEISHU")
        @ConditionalOnAddress(ALERTS + "feishu.url")
        @ConditionalOnMissingBean(name = "FEISHU")
        AlertErrorHandler elasticJobFeishuAlerts(ElasticJobProperties properties, AlertThreads threads) {
            return webhook(
                    "FEISHU",
                    MessageFormat.FEISHU,
                    properties,
                    properties.alerts().feishu(),
                    threads);
        }

        private static AlertErrorHandler webhook(
                String name,
                MessageFormat format,
                ElasticJobProperties properties,
                Webhook settings,
                AlertThreads threads) {
            Alerts alerts = properties.alerts();
            HttpClient client = HttpClient.newBuilder()
                    .connectTimeout(alerts.timeout())
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
            var channel = new WebhookChannel(
                    client,
                    alerts.timeout(),
                    format,
                    URI.create(String.valueOf(settings.url())),
                    settings.headers(),
                    settings.prefix() == null ? "" : settings.prefix() + " ",
                    settings.secret());
            return threads.handler(name, channel, alerts);
        }
    }

    /** By mail; of its own, because its signatures need a class. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"org.springframework.mail.MailSender", "jakarta.mail.Session"})
    @ConditionalOnAddress(ALERTS + "mail.to")
    static class Mails {
        @Bean("EMAIL")
        @ConditionalOnMissingBean(name = "EMAIL")
        AlertErrorHandler elasticJobMailAlerts(
                ElasticJobProperties properties, ObjectProvider<MailSender> mails, AlertThreads threads) {
            MailSender sender = mails.getIfAvailable();
            if (sender == null) {
                throw new FailureAnalyzedException(
                        "\"" + ALERTS + "mail.to\" is set, but there is no JavaMailSender bean.",
                        "Configure one with \"spring.mail.host\", or remove the property.");
            }
            return threads.handler(
                    "EMAIL", new MailChannel(sender, properties.alerts().mail()), properties.alerts());
        }
    }

    /** Says what is missing, instead of a name that no job finds. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass({"org.springframework.mail.MailSender", "jakarta.mail.Session"})
    @ConditionalOnAddress(ALERTS + "mail.to")
    static class WithoutMail {
        WithoutMail() {
            throw new FailureAnalyzedException(
                    "\"" + ALERTS + "mail.to\" is set, but there is no support for mails on the class path.",
                    "Add the dependency \"org.springframework.boot:spring-boot-starter-mail\", or remove the property.");
        }
    }
}
