package dev.elasticjob.spring.alert;

import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import java.util.Date;
import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;

/** Sends alerts as mails of plain text, with the whole stack trace. */
record MailChannel(MailSender mails, ElasticJobProperties.Mail settings) implements AlertChannel {
    @Override
    public void send(Alert alert) {
        var mail = new SimpleMailMessage();
        mail.setTo(settings.to().toArray(String[]::new));
        mail.setCc(settings.cc().toArray(String[]::new));
        if (settings.from() != null) {
            mail.setFrom(settings.from());
        }
        mail.setSentDate(Date.from(alert.at()));
        mail.setSubject(alert.title());
        mail.setText(alert.title() + "\n" + alert.summary() + "\n\n" + alert.stackTrace());
        mails.send(mail);
    }
}
