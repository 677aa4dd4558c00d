// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import org.springframework.data.jpa.repository.JpaRepository;

/** The parcels. */
public interface Parcels extends JpaRepository<Parcel, String> {}
