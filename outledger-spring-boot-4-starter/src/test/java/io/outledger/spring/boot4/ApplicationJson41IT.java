// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.ApplicationJsonContract;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** On this line of Spring Boot, which has Jackson 3 itself. */
class ApplicationJson41IT extends ApplicationJsonContract {

  ApplicationJson41IT() {
    super(WithModule.class, WithMapper.class);
  }

  private static final class MoneyWriter extends StdSerializer<Money> {

    MoneyWriter() {
      super(Money.class);
    }

    @Override
    public void serialize(Money money, JsonGenerator json, SerializationContext context) {
      json.writeString(money.toString());
    }
  }

  private static final class MoneyReader extends StdDeserializer<Money> {

    MoneyReader() {
      super(Money.class);
    }

    @Override
    public Money deserialize(JsonParser json, DeserializationContext context) {
      return Money.parse(json.getString());
    }
  }

  /** The team's module. */
  @Configuration(proxyBeanMethods = false)
  static class WithModule {

    @Bean
    JacksonModule money() {
      return new SimpleModule()
          .addSerializer(Money.class, new MoneyWriter())
          .addDeserializer(Money.class, new MoneyReader());
    }
  }

  /** The mapper of the team's API. */
  @Configuration(proxyBeanMethods = false)
  static class WithMapper {

    @Bean
    JsonMapper mapper(@Qualifier("money") JacksonModule money) {
      return JsonMapper.builder()
          .addModule(money)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build();
    }
  }
}
