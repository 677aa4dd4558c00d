// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.languages

import com.fasterxml.jackson.annotation.JsonAlias
import com.fasterxml.jackson.annotation.JsonTypeInfo
import com.fasterxml.jackson.annotation.JsonTypeName
import com.fasterxml.jackson.module.kotlin.KotlinModule
import io.outledger.event.EventTypes
import io.outledger.event.Events
import io.outledger.event.PayloadSerializer
import io.outledger.jackson.JacksonSerializer
import io.outledger.jackson3.Jackson3Serializer
import java.time.Instant
import tools.jackson.module.kotlin.KotlinModule as KotlinModule3

@JvmInline value class FlatId(val value: String)

data class FlatRented(
    val flatId: FlatId,
    val tenants: List<Tenant>,
    val rentedAt: Instant,
    val note: String? = null,
    val deposit: Int = 3,
)

data class Tenant(@param:JsonAlias("surname") val name: String)

data class FlatChanged(val flatId: String, val changes: List<Change>)

@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
sealed interface Change {
  @JsonTypeName("painted") data class Painted(val color: String) : Change

  @JsonTypeName("cleaned") data object Cleaned : Change
}

fun events(): Events = events(JacksonSerializer.create(KotlinModule.Builder().build()))

fun eventsWithJackson3(): Events =
    events(Jackson3Serializer.create(KotlinModule3.Builder().build()))

private fun events(serializer: PayloadSerializer): Events =
    Events.builder()
        .types(
            EventTypes.builder()
                .register(FlatRented::class.java) {
                  it.name("flat.rented").topic("flats").key { event -> event.flatId.value }
                }
                .register(FlatChanged::class.java) {
                  it.name("flat.changed").topic("flats").key(FlatChanged::flatId)
                })
        .serializer(serializer)
        .build()
